package headrace.kafka;

import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * Writes a batch of weighted rows to a topic; made for `foreachBatch`, so that no batch visits Python. The batch is evaluated
 * once: a second time would run the stateful operators above it again.
 */
public final class KafkaBatchWriter implements VoidFunction2<Dataset<Row>, Long> {
  private static final long serialVersionUID = 1L;

  private final String specification;

  public KafkaBatchWriter(String specification) {
    this.specification = specification;
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) {
    WriterSpec spec = new WriterSpec(specification);
    Dataset<Row> records = spread(batch.select(spec.columns(spec.fold)), spec);
    Dataset<Row> ordered = spec.sort ? records.sortWithinPartitions("key") : records;
    // Internal rows hand out their bytes as they are; a Dataset of Row would first convert every cell.
    ((org.apache.spark.sql.classic.Dataset<Row>) ordered)
        .queryExecution()
        .toRdd()
        .toJavaRDD()
        .foreachPartition(new PartitionSender(spec));
  }

  /** All changes of a key go to one task, which keeps their order. */
  private static Dataset<Row> spread(Dataset<Row> records, WriterSpec spec) {
    boolean chosen = spec.parallelism > 0;
    if (!spec.keyed()) {
      return chosen ? records.repartition(spec.parallelism) : records;
    }
    if (chosen) {
      return records.repartition(spec.parallelism, functions.col("key"));
    }
    return spec.sort ? records.repartition(functions.col("key")) : records;
  }
}
