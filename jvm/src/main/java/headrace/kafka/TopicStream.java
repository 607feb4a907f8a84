package headrace.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeMode;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.util.LongAccumulator;

/**
 * Spark's Kafka stream, made fit to be restarted and to end. A query that was killed within a batch runs that batch again before it
 * asks for the newest offsets; Spark 4.1's stream then fails when it reports how far behind it is, so until it has asked
 * it reports nothing. With an end, no offset past it is ever given out.
 */
final class TopicStream
    implements MicroBatchStream, SupportsTriggerAvailableNow, SupportsRealTimeMode, ReportsSourceMetrics {
  /** Metric: records read since the query started; Spark itself counts the rows that came of them. */
  private static final String RECORDS = "records";

  /** Metric, followed by topic/partition: records that the query has gone on without so far. */
  private static final String SKIPPED = "skipped/";

  private final MicroBatchStream kafka;
  private final RowSpec rows;
  private final BoundedEnd end;
  private final LongAccumulator count = SparkSession.active().sparkContext().longAccumulator();
  private final SkippedRecords skipped = SkippedRecords.registered();
  private boolean knowsLatest;

  /** `end` is null for a stream without one. */
  TopicStream(MicroBatchStream kafka, RowSpec rows, BoundedEnd end) {
    this.kafka = kafka;
    this.rows = rows;
    this.end = end;
  }

  @Override
  public Map<String, String> metrics(Optional<Offset> latestConsumed) {
    Map<String, String> metrics = new HashMap<>(Map.of(RECORDS, Long.toString(count.value())));
    skipped.value().forEach((place, skips) -> metrics.put(SKIPPED + place, skips.toString()));
    if (knowsLatest) {
      metrics.putAll(((ReportsSourceMetrics) kafka).metrics(latestConsumed));
    }
    return metrics;
  }

  @Override
  public Offset latestOffset(Offset start, ReadLimit limit) {
    Offset latest = admission().latestOffset(start, limit);
    knowsLatest = true;
    return end == null ? latest : kafka.deserializeOffset(end.fixedAt(latest.json()));
  }

  @Override
  public Offset latestOffset() {
    return kafka.latestOffset();
  }

  @Override
  public Offset reportLatestOffset() {
    return knowsLatest ? admission().reportLatestOffset() : null;
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return admission().getDefaultReadLimit();
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    admission().prepareForTriggerAvailableNow();
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    return kafka.planInputPartitions(start, end);
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start) {
    return realTime().planInputPartitions(start);
  }

  @Override
  public Offset mergeOffsets(PartitionOffset[] offsets) {
    return realTime().mergeOffsets(offsets);
  }

  @Override
  public void prepareForRealTimeMode() {
    realTime().prepareForRealTimeMode();
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new RowReaderFactory(rows, count, skipped);
  }

  @Override
  public Offset initialOffset() {
    return kafka.initialOffset();
  }

  @Override
  public Offset deserializeOffset(String json) {
    return kafka.deserializeOffset(json);
  }

  @Override
  public void commit(Offset end) {
    kafka.commit(end);
  }

  @Override
  public void stop() {
    kafka.stop();
  }

  private SupportsTriggerAvailableNow admission() {
    return (SupportsTriggerAvailableNow) kafka;
  }

  private SupportsRealTimeMode realTime() {
    return (SupportsRealTimeMode) kafka;
  }
}
