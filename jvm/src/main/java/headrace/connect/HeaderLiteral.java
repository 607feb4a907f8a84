package headrace.connect;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Headers as Connect's simple header converter has them once it has read them: it types what it finds, so that numbers
 * and times are written again as their types are.
 */
public final class HeaderLiteral implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d*)?([eE][+-]?\\d+)?|[+-]\\.\\d+([eE][+-]?\\d+)?");
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
  private static final Pattern TIME = Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
  private static final Pattern TIMESTAMP = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
  /** Nobody means more digits than these, and a power of ten is cheap to write and dear to compute. */
  private static final int LARGEST_EXPONENT = 10_000;

  public byte[] typed(byte[] bytes) {
    if (bytes == null) {
      return null;
    }
    String text = written(new String(bytes, StandardCharsets.UTF_8));
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static String written(String text) {
    String trimmed = text.trim();
    if (trimmed.equals("null")) {
      return null;
    }
    if (trimmed.isEmpty() || trimmed.charAt(0) > '9') {
      return text;
    }
    if (NUMBER.matcher(trimmed).matches()) {
      return number(text, trimmed);
    }
    String time = pattern(trimmed);
    return time == null ? text : TimeText.iso(TimeText.of(time).parse(trimmed));
  }

  private static String pattern(String text) {
    if (DATE.matcher(text).matches()) {
      return "yyyy-MM-dd";
    }
    if (TIME.matcher(text).matches()) {
      return "HH:mm:ss.SSS'Z'";
    }
    return TIMESTAMP.matcher(text).matches() ? "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'" : null;
  }

  /** A text where the exponent is one that no number of Java's has. */
  private static String number(String text, String digits) {
    try {
      return number(new BigDecimal(digits));
    } catch (NumberFormatException beyond) {
      return text;
    }
  }

  /** The smallest type that fits: whole, then a float, then a double, then a decimal. */
  private static String number(BigDecimal value) {
    if (Math.abs((long) value.scale()) > LARGEST_EXPONENT) {
      return value.toString();
    }
    BigDecimal plain = value.stripTrailingZeros();
    if (plain.scale() <= 0 && plain.toBigInteger().bitLength() < Long.SIZE) {
      return plain.toBigInteger().toString();
    }
    if (value.scale() != 0 && Float.isFinite(value.floatValue())) {
      return Float.toString(value.floatValue());
    }
    return value.scale() != 0 && Double.isFinite(value.doubleValue()) ? Double.toString(value.doubleValue()) : value.toString();
  }

  @Override
  public String toString() {
    return "HeaderLiteral";
  }
}
