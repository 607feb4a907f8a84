package headrace.operators;

import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/** Puts beside key, row and weight where they stand: tasks in their order, rows of a task as it meets them. */
final class PlacedRows implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;
  /** More rows than a task can meet in a batch, in bits. */
  private static final int ROWS_OF_A_TASK = 40;

  @Override
  public Iterator<Row> call(Iterator<Row> rows) {
    long first = (long) TaskContext.getPartitionId() << ROWS_OF_A_TASK;
    return new Iterator<>() {
      private long place = first;

      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public Row next() {
        Row row = rows.next();
        return RowFactory.create(row.get(0), row.get(1), row.get(2), place++);
      }
    };
  }
}
