package headrace.operators;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Order of packed rows by ORDER BY columns; equal ones by their bytes, so that the order never depends on chance. */
final class RowOrder implements Comparator<BytesKey>, Serializable {
  private static final long serialVersionUID = 1L;

  private final int width;
  private final int[] ordinals;
  private final DataType[] types;
  private final RankSpec.Order[] orders;

  RowOrder(RankSpec spec, StructType rows) {
    width = rows.length();
    orders = spec.order().toArray(RankSpec.Order[]::new);
    ordinals = Arrays.stream(orders).mapToInt(order -> rows.fieldIndex(order.column())).toArray();
    types = Arrays.stream(ordinals).mapToObj(i -> rows.fields()[i].dataType()).toArray(DataType[]::new);
  }

  @Override
  public int compare(BytesKey left, BytesKey right) {
    UnsafeRow first = Packed.view(left.bytes, width);
    UnsafeRow second = Packed.view(right.bytes, width);
    for (int i = 0; i < orders.length; i++) {
      int result = compare(first, second, i);
      if (result != 0) {
        return result;
      }
    }
    return Arrays.compareUnsigned(left.bytes, right.bytes);
  }

  private int compare(UnsafeRow left, UnsafeRow right, int index) {
    int at = ordinals[index];
    boolean leftNull = left.isNullAt(at);
    boolean rightNull = right.isNullAt(at);
    if (leftNull || rightNull) {
      return leftNull == rightNull ? 0 : leftNull == orders[index].nullsFirst() ? -1 : 1;
    }
    int result = Values.compare(left.get(at, types[index]), right.get(at, types[index]));
    return orders[index].descending() ? -result : result;
  }
}
