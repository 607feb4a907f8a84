package headrace.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeMode;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/**
 * Spark's Kafka stream, made fit to be restarted and to end. A query that was killed within a batch runs that batch again before it
 * asks for the newest offsets; Spark 4.1's stream then fails when it reports how far behind it is, so until it has asked
 * it reports nothing. With an end, no offset past it is ever given out.
 */
final class TopicStream
    implements MicroBatchStream, SupportsTriggerAvailableNow, SupportsRealTimeMode, ReportsSourceMetrics {
  private final MicroBatchStream kafka;
  private final BoundedEnd end;
  private final SkippedRecords skipped;
  private boolean knowsLatest;

  /** `end` is null for a stream without one, `skipped` where a record that cannot be read fails the query. */
  TopicStream(MicroBatchStream kafka, BoundedEnd end, SkippedRecords skipped) {
    this.kafka = kafka;
    this.end = end;
    this.skipped = skipped;
  }

  /** Spark's own, and `skipped/topic/partition` for the records that the query has gone on without so far. */
  @Override
  public Map<String, String> metrics(Optional<Offset> latestConsumed) {
    Map<String, String> known = knowsLatest ? ((ReportsSourceMetrics) kafka).metrics(latestConsumed) : Map.of();
    if (skipped == null || skipped.isZero()) {
      return known;
    }
    Map<String, String> metrics = new HashMap<>(known);
    skipped.value().forEach((place, count) -> metrics.put("skipped/" + place, count.toString()));
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
    return kafka.createReaderFactory();
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
