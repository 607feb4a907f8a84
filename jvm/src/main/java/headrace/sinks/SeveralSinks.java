package headrace.sinks;

import headrace.operators.Operators;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Several sinks of one streaming query: all their rows are one stream, and each batch of it is evaluated once, kept while the sinks
 * are written one after the other, and dropped. After a failure all of them get the batch again.
 */
public final class SeveralSinks implements BatchSink {
  private static final long serialVersionUID = 1L;

  private record Branch(StructType columns, BatchSink writer) {}

  private final List<Branch> branches = new ArrayList<>();
  private Dataset<Row> rows;

  public void add(Dataset<Row> input, BatchSink writer) {
    Dataset<Row> tagged = Operators.tagged(input, branches.size());
    rows = rows == null ? tagged : rows.union(tagged);
    branches.add(new Branch(input.schema(), writer));
  }

  /** The rows of all branches, to be written by this object. */
  public Dataset<Row> rows() {
    return rows;
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) throws Exception {
    Dataset<Row> kept = batch.persist();
    try {
      for (int i = 0; i < branches.size(); i++) {
        branches.get(i).writer().call(Operators.untagged(kept, i, branches.get(i).columns()), batchId);
      }
    } finally {
      kept.unpersist();
    }
  }
}
