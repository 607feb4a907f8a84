package headrace.formats;

import java.math.BigDecimal;

/**
 * The number at a cursor as one of Java's. Short ones are computed from their digits, which is exact; all others go
 * through text and Java's own parsing.
 */
final class JsonNumbers {
  /** Parsing long numbers takes time by the square of their length, and no column holds so many digits. */
  private static final int MAX_LENGTH = 1000;
  /** So many digits stay below 2^53, up to which every integer is exact in a double. */
  private static final int EXACT_DIGITS = 15;
  /** Powers of ten that are exact in a double: dividing by one rounds once, as parsing does. */
  private static final double[] POWERS_OF_TEN =
      {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

  private JsonNumbers() {}

  /** An integer within bounds; a fraction or an exponent is a misfit. */
  static long wholeNumber(JsonCursor cursor, long least, long most) throws JsonSyntaxException {
    long value = cursor.takeShortInteger();
    return bounded(value != JsonCursor.NO_SHORT_INTEGER ? value : Long.parseLong(text(cursor)), least, most);
  }

  /** An integer within bounds; what follows the point is cut off, as Flink does. */
  static long cutNumber(JsonCursor cursor, long least, long most) throws JsonSyntaxException {
    long value = cursor.takeShortInteger();
    return bounded(value != JsonCursor.NO_SHORT_INTEGER ? value : cut(text(cursor), least, most), least, most);
  }

  private static long cut(String text, long least, long most) {
    if (isInteger(text)) {
      return Long.parseLong(text);
    }
    double value = Double.parseDouble(text);
    if (value < least || value > most) {
      throw new ArithmeticException("out of range");
    }
    return (long) value;
  }

  private static long bounded(long value, long least, long most) {
    if (value < least || value > most) {
      throw new ArithmeticException("out of range");
    }
    return value;
  }

  static float single(JsonCursor cursor) throws JsonSyntaxException {
    long value = cursor.takeShortInteger();
    return value != JsonCursor.NO_SHORT_INTEGER ? value : Float.parseFloat(text(cursor));
  }

  static double dual(JsonCursor cursor) throws JsonSyntaxException {
    long value = cursor.takeShortInteger();
    if (value != JsonCursor.NO_SHORT_INTEGER) {
      return value;
    }
    int start = cursor.position();
    cursor.passNumber();
    double fraction = shortFraction(cursor.bytes, start, cursor.position());
    return Double.isNaN(fraction) ? Double.parseDouble(text(cursor, start)) : fraction;
  }

  /** A number with a point, no exponent and few digits; NaN for any other. */
  private static double shortFraction(byte[] bytes, int from, int to) {
    boolean negative = bytes[from] == '-';
    int point = to;
    long digits = 0;
    if (to - from > EXACT_DIGITS) {
      return Double.NaN;
    }
    for (int place = negative ? from + 1 : from; place < to; place++) {
      if (bytes[place] == '.') {
        point = place;
      } else if (JsonCursor.isDigit(bytes[place])) {
        digits = digits * 10 + (bytes[place] - '0');
      } else {
        return Double.NaN;
      }
    }
    double value = point == to ? digits : digits / POWERS_OF_TEN[to - point - 1];
    return negative ? -value : value;
  }

  static BigDecimal decimal(JsonCursor cursor) throws JsonSyntaxException {
    long value = cursor.takeShortInteger();
    return value != JsonCursor.NO_SHORT_INTEGER ? BigDecimal.valueOf(value) : new BigDecimal(text(cursor));
  }

  private static boolean isInteger(String text) {
    return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
  }

  private static String text(JsonCursor cursor) throws JsonSyntaxException {
    int start = cursor.position();
    cursor.passNumber();
    return text(cursor, start);
  }

  private static String text(JsonCursor cursor, int start) {
    if (cursor.position() - start > MAX_LENGTH) {
      throw new NumberFormatException("longer than " + MAX_LENGTH + " characters");
    }
    return JsonStrings.text(cursor.bytes, start, cursor.position());
  }
}
