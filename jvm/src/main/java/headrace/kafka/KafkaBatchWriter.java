package headrace.kafka;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;

import headrace.sinks.BatchSink;
import java.nio.file.Path;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.python.UserDefinedPythonFunction;

/**
 * Writes batches of prepared rows to a topic; made for `foreachBatch`, so that no batch visits Python. The batch is evaluated
 * once: a second time would run the stateful operators above it again.
 */
public final class KafkaBatchWriter implements BatchSink {
  private static final long serialVersionUID = 1L;
  private static final byte[] NO_KEY = new byte[0];

  private final String specification;
  private final UserDefinedPythonFunction partitioner;
  private transient WriterSpec parsed;
  private transient ExactlyOnce exactlyOnce;
  private String existing;
  private volatile long strangeKeys;
  private volatile long deletedKeys;

  /** `partitioner`: of keys, values and numbers of partitions, or null. */
  public KafkaBatchWriter(String specification, UserDefinedPythonFunction partitioner) {
    this.specification = specification;
    this.partitioner = partitioner;
  }

  /** The job's first batch shall delete the keys that the topic holds already and that are not in the answer. */
  public void reconcile(String existingKeys) {
    this.existing = existingKeys;
  }

  /**
   * Batches are written in transactions whose ids begin with `prefix`; the two files say what became of those of the process
   * before.
   */
  public void withinTransactions(String prefix, String decisionFile, String usedFile, boolean asksBroker) {
    TransactionLog log = new TransactionLog(Path.of(decisionFile), Path.of(usedFile));
    exactlyOnce = new ExactlyOnce(prefix, spec().properties, log, asksBroker);
  }

  /** How many keys were found that are no keys of the table; they were left alone. Told once. */
  public long takeStrangeKeys() {
    long found = strangeKeys;
    strangeKeys = 0;
    return found;
  }

  /** How many keys were deleted since the answer lacks them. Told once. */
  public long takeDeletedKeys() {
    long found = deletedKeys;
    deletedKeys = 0;
    return found;
  }

  @Override
  public Dataset<Row> prepare(Dataset<Row> rows) {
    return spec().records(rows, spec().fold, partitioner);
  }

  /** Read once, not for every batch. */
  private WriterSpec spec() {
    if (parsed == null) {
      parsed = new WriterSpec(specification);
    }
    return parsed;
  }

  @Override
  public void call(Dataset<Row> changes, Long batchId) {
    WriterSpec spec = spec();
    // The first batch keeps its number when it is run again after a kill, so this is done whole or again.
    if (existing != null && batchId <= 0) {
      KeysFound found = KeysFound.none(changes.sparkSession().sparkContext());
      Dataset<Row> all = beside(changes, ExistingKeys.read(changes.sparkSession(), existing), spec);
      send(all, PartitionSender.reconciling(spec, found), batchId);
      strangeKeys = found.strange().value();
      deletedKeys = found.deleted().value();
      existing = null;
    } else {
      Dataset<Row> records = spread(changes, spec);
      send(spec.sort ? records.sortWithinPartitions("key", "topic") : records, new PartitionSender(spec), batchId);
    }
  }

  /** Internal rows hand out their bytes as they are; a Dataset of Row would first convert every cell. */
  private void send(Dataset<Row> records, PartitionSender sender, long batchId) {
    RDD<InternalRow> rows = ((org.apache.spark.sql.classic.Dataset<Row>) records).queryExecution().toRdd();
    if (exactlyOnce == null) {
      SendTask.run(rows, sender);
    } else {
      exactlyOnce.write(rows, sender, batchId);
    }
  }

  /**
   * Keys that are one key in two spellings meet in one task, and the topic's own spelling goes before the new row comes.
   * Changes of a key keep the order they have in their task.
   */
  private static Dataset<Row> beside(Dataset<Row> changes, Dataset<Row> existing, WriterSpec spec) {
    Dataset<Row> placed = changes
        .withColumn("spelling", coalesce(col("key"), lit(NO_KEY)))
        .withColumn("sequence", monotonically_increasing_id());
    Dataset<Row> all = placed.unionByName(existing);
    Dataset<Row> together = spec.parallelism > 0
        ? all.repartition(spec.parallelism, col("spelling"))
        : all.repartition(col("spelling"));
    return together.sortWithinPartitions(
        col("spelling"), col("key").equalTo(col("spelling")), col("key"), col("sequence"));
  }

  /** All changes of a key go to one task, which keeps their order. */
  private static Dataset<Row> spread(Dataset<Row> records, WriterSpec spec) {
    boolean chosen = spec.parallelism > 0;
    if (!spec.keyed()) {
      return chosen ? records.repartition(spec.parallelism) : records;
    }
    if (chosen) {
      return records.repartition(spec.parallelism, col("key"));
    }
    return spec.sort ? records.repartition(col("key")) : records;
  }
}
