package headrace.kafka;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;

import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.util.LongAccumulator;

/**
 * Writes a batch of weighted rows to a topic; made for `foreachBatch`, so that no batch visits Python. The batch is evaluated
 * once: a second time would run the stateful operators above it again.
 */
public final class KafkaBatchWriter implements VoidFunction2<Dataset<Row>, Long> {
  private static final long serialVersionUID = 1L;
  private static final byte[] NO_KEY = new byte[0];

  private final String specification;
  private String existing;
  private volatile long strangeKeys;

  public KafkaBatchWriter(String specification) {
    this.specification = specification;
  }

  /** The job's first batch shall delete the keys that the topic holds already and that are not in the answer. */
  public void reconcile(String existingKeys) {
    this.existing = existingKeys;
  }

  /** How many keys were found that are no keys of the table; they were left alone. Told once. */
  public long takeStrangeKeys() {
    long found = strangeKeys;
    strangeKeys = 0;
    return found;
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) {
    WriterSpec spec = new WriterSpec(specification);
    Dataset<Row> changes = batch.select(spec.columns(spec.fold));
    // The first batch keeps its number when it is run again after a kill, so this is done whole or again.
    if (existing != null && batchId == 0) {
      LongAccumulator strange = batch.sparkSession().sparkContext().longAccumulator();
      send(beside(changes, ExistingKeys.read(batch.sparkSession(), existing), spec), PartitionSender.reconciling(spec, strange));
      strangeKeys = strange.value();
      existing = null;
    } else {
      Dataset<Row> records = spread(changes, spec);
      send(spec.sort ? records.sortWithinPartitions("key") : records, new PartitionSender(spec));
    }
  }

  /** Internal rows hand out their bytes as they are; a Dataset of Row would first convert every cell. */
  private static void send(Dataset<Row> records, PartitionSender sender) {
    ((org.apache.spark.sql.classic.Dataset<Row>) records).queryExecution().toRdd().toJavaRDD().foreachPartition(sender);
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
