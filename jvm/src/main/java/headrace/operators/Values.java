package headrace.operators;

import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Order and equality of Spark's internal values. */
final class Values {
  private Values() {}

  /** SQL order: numbers and times by value, text by code point, bytes unsigned. */
  @SuppressWarnings("unchecked")
  static int compare(Object left, Object right) {
    if (left instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) right);
    }
    return ((Comparable<Object>) left).compareTo(right);
  }

  static boolean same(Object left, Object right) {
    return Objects.deepEquals(left, right);
  }

  /** The value apart from the row it was read from, whose bytes may be written over. */
  static Object kept(Object value) {
    if (value instanceof UTF8String text) {
      return text.clone();
    }
    if (value instanceof ArrayData array) {
      return array.copy();
    }
    if (value instanceof MapData map) {
      return map.copy();
    }
    return value instanceof InternalRow row ? row.copy() : value;
  }

  /** A whole number as its type keeps it; what does not fit wraps around. */
  static Object whole(long value, DataType type) {
    if (type.equals(DataTypes.ByteType)) {
      return (byte) value;
    }
    if (type.equals(DataTypes.ShortType)) {
      return (short) value;
    }
    return type.equals(DataTypes.IntegerType) ? (Object) (int) value : (Object) value;
  }
}
