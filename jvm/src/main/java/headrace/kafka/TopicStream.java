package headrace.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.apache.kafka.common.TopicPartition;
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

/** Topics as a stream of batches, or of single rows. Where it starts and ends is fixed once and kept in the checkpoint. */
final class TopicStream
    implements MicroBatchStream, SupportsTriggerAvailableNow, SupportsRealTimeMode, ReportsSourceMetrics {
  /** Metric: records read since the query started; Spark itself counts the rows that came of them. */
  private static final String RECORDS = "records";

  /** Metric, followed by topic/partition: records that the query has gone on without so far. */
  private static final String SKIPPED = "skipped/";

  private final ScanSpec spec;
  private final RowSpec rows;
  private final ConsumerSettings consumers;
  private final Cluster cluster;
  private final Discovery discovery;
  private final Ends ends;
  private final KeptOffsets start;
  private final GroupCommits commits;
  private final LongAccumulator count = SparkSession.active().sparkContext().longAccumulator();
  private final SkippedRecords skipped = SkippedRecords.registered();
  private boolean availableNow;

  TopicStream(ScanSpec spec, RowSpec rows, String client, String checkpoint) {
    this.spec = spec;
    this.rows = rows;
    this.consumers = ConsumerSettings.parse(client, !spec.goesOn());
    this.cluster = new Cluster(ConsumerSettings.given(client));
    this.discovery = new Discovery(cluster, spec);
    this.ends = new Ends(cluster, discovery, spec, new KeptOffsets(checkpoint, "end"));
    this.start = new KeptOffsets(checkpoint, "start");
    this.commits = new GroupCommits(cluster, spec.commitTo());
  }

  @Override
  public Offset initialOffset() {
    TopicOffsets first = start.orElse(() -> spec.start().resolveStart(cluster, discovery.partitions(), spec.end() != null));
    commits.beginAt(first);
    return first;
  }

  /** Spark asks when the batch up to `from` is done with. */
  @Override
  public Offset latestOffset(Offset from, ReadLimit limit) {
    TopicOffsets done = TopicOffsets.of(from);
    commits.tell(done);
    TopicOffsets next = spec.end() == null ? ends.latest(done, availableNow) : ends.bounded(done, availableNow);
    return next.isEmpty() ? null : next;
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException("Spark asks with the offset it has come to");
  }

  @Override
  public Offset reportLatestOffset() {
    return ends.seen();
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return ReadLimit.allAvailable();
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    availableNow = true;
  }

  @Override
  public InputPartition[] planInputPartitions(Offset from, Offset until) {
    BatchPlan plan = new BatchPlan(cluster, discovery.takeMadeAnew());
    return SourceTask.of(plan.ranges(TopicOffsets.of(from), TopicOffsets.of(until)), spec.parallelism());
  }

  /** Without batches every partition is read by a task of its own that does not end by itself. */
  @Override
  public InputPartition[] planInputPartitions(Offset from) {
    TopicOffsets known = TopicOffsets.of(from);
    Map<TopicPartition, Long> endless = new HashMap<>();
    SortedSet<TopicPartition> partitions = discovery.partitions();
    partitions.forEach(partition -> endless.put(partition, Long.MAX_VALUE));
    BatchPlan plan = new BatchPlan(cluster, discovery.takeMadeAnew());
    return SourceTask.of(plan.ranges(known, new TopicOffsets(endless)), partitions.size());
  }

  @Override
  public Offset mergeOffsets(PartitionOffset[] offsets) {
    Map<TopicPartition, Long> merged = new HashMap<>();
    for (PartitionOffset offset : offsets) {
      PartitionPlace place = (PartitionPlace) offset;
      merged.put(place.partition(), place.next());
    }
    return new TopicOffsets(merged);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new RowReaderFactory(rows, consumers, count, skipped);
  }

  @Override
  public Offset deserializeOffset(String json) {
    return TopicOffsets.parse(json);
  }

  @Override
  public void commit(Offset done) {
    commits.tell(TopicOffsets.of(done));
  }

  @Override
  public Map<String, String> metrics(Optional<Offset> latestConsumed) {
    Map<String, String> metrics = new HashMap<>(Map.of(RECORDS, Long.toString(count.value())));
    skipped.value().forEach((place, skips) -> metrics.put(SKIPPED + place, skips.toString()));
    if (ends.seen() != null && latestConsumed.isPresent()) {
      metrics.putAll(Lag.metrics(TopicOffsets.of(latestConsumed.get()), ends.seen()));
    }
    return metrics;
  }

  @Override
  public void stop() {
    commits.awaitLast();
    cluster.close();
  }

  /** Spark shows it with the progress of the source. */
  @Override
  public String toString() {
    return spec.name();
  }
}
