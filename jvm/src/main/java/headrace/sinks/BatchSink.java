package headrace.sinks;

import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Writes the batches of a query. */
public interface BatchSink extends VoidFunction2<Dataset<Row>, Long> {
  /** What batches shall have, from the rows of the query: planned once with it, and not again for every batch. */
  default Dataset<Row> prepare(Dataset<Row> rows) {
    return rows;
  }
}
