package headrace.operators;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** Order and equality of column values as Spark hands them to a row. */
final class Values {
  private Values() {}

  /** SQL order: numbers and times by value, text by code point, bytes unsigned. */
  @SuppressWarnings("unchecked")
  static int compare(Object left, Object right) {
    if (left instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) right);
    }
    if (left instanceof String text) {
      return compareText(text, (String) right);
    }
    return ((Comparable<Object>) left).compareTo(right);
  }

  /** Surrogate pairs sort above all other characters, unlike in String.compareTo. */
  private static int compareText(String left, String right) {
    int shared = Math.min(left.length(), right.length());
    for (int i = 0; i < shared; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        return Character.isSurrogate(a) == Character.isSurrogate(b) ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  static boolean same(Object left, Object right) {
    return Objects.deepEquals(left, right);
  }

  /** The value as a hash key: arrays have no equality of their own. */
  static Object hashable(Object value) {
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }

  static Object fromHashable(Object key) {
    return key instanceof ByteBuffer buffer ? buffer.array() : key;
  }
}
