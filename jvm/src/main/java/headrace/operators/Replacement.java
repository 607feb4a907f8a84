package headrace.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/** The change from one row of a key to the next; null is no row. */
final class Replacement {
  private Replacement() {}

  /** Nothing for equal rows. Without `retract` an update is the new row alone. */
  static List<Row> of(byte[] before, byte[] after, boolean retract) {
    List<Row> out = new ArrayList<>(2);
    if (Arrays.equals(before, after)) {
      return out;
    }
    if (before != null && (retract || after == null)) {
      out.add(RowFactory.create(before, -1L));
    }
    if (after != null) {
      out.add(RowFactory.create(after, 1L));
    }
    return out;
  }
}
