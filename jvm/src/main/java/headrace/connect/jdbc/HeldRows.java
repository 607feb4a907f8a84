package headrace.connect.jdbc;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows that a poll has read already: few enough to travel with the task. */
public final class HeldRows implements Portion {
  private static final long serialVersionUID = 1L;

  private final InternalRow[] rows;

  public HeldRows(InternalRow[] rows) {
    this.rows = rows;
  }

  @Override
  public Iterator<InternalRow> rows() {
    return Arrays.asList(rows).iterator();
  }
}
