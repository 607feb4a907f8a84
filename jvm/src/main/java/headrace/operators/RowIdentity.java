package headrace.operators;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** By what packed rows are told apart: some of their columns, or all. */
final class RowIdentity {
  private final int width;
  private final int[] ordinals;
  private final StructType columns;
  private final UnsafeProjection projection;

  /** No columns: rows that differ anywhere are not the same. */
  RowIdentity(StructType rows, List<String> names) {
    width = rows.length();
    ordinals = names.stream().mapToInt(rows::fieldIndex).toArray();
    columns = new StructType(names.stream().map(rows::apply).toArray(StructField[]::new));
    projection = UnsafeProjection.create(columns);
  }

  BytesKey of(byte[] row) {
    if (ordinals.length == 0) {
      return new BytesKey(row);
    }
    UnsafeRow view = Packed.view(row, width);
    Object[] cells = new Object[ordinals.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = view.get(ordinals[i], columns.fields()[i].dataType());
    }
    return new BytesKey(Packed.bytes(projection, new GenericInternalRow(cells)));
  }
}
