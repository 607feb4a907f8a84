package headrace.functions;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Text to values, with the spellings that Flink's CAST takes. Every method gets the wanted type as the user wrote it, and
 * `lenient` for TRY_CAST: what cannot be read is null then, else an error.
 */
public final class Texts {
  private static final Set<String> TRUE = Set.of("t", "true", "y", "yes", "1");
  private static final Set<String> FALSE = Set.of("f", "false", "n", "no", "0");
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long NANOS_PER_MICRO = 1_000L;

  private Texts() {}

  public static Boolean toBoolean(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, Texts::booleanOf);
  }

  public static Byte toByte(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> (byte) whole(given, Byte.MIN_VALUE, Byte.MAX_VALUE));
  }

  public static Short toShort(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> (short) whole(given, Short.MIN_VALUE, Short.MAX_VALUE));
  }

  public static Integer toInt(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> (int) whole(given, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  public static Long toLong(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> whole(given, Long.MIN_VALUE, Long.MAX_VALUE));
  }

  public static Float toFloat(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> Float.parseFloat(given.toString()));
  }

  public static Double toDouble(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> Double.parseDouble(given.toString()));
  }

  public static Decimal toDecimal(UTF8String text, int precision, int scale, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> decimalOf(given, precision, scale));
  }

  public static Integer toDate(UTF8String text, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> (int) TimePoints.date(given.toString()).toEpochDay());
  }

  /** Nanoseconds of the day; `digits` of a fraction are kept. */
  public static Long toTime(UTF8String text, int digits, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> TimePoints.time(given.toString(), digits).toNanoOfDay());
  }

  /** Microseconds, without a time zone; `digits` of a fraction are kept. */
  public static Long toTimestamp(UTF8String text, int digits, UTF8String type, boolean lenient) {
    return read(text, type, lenient, given -> {
      LocalDateTime point = TimePoints.timestamp(given.toString(), digits);
      return point.toEpochSecond(ZoneOffset.UTC) * MICROS_PER_SECOND + point.getNano() / NANOS_PER_MICRO;
    });
  }

  /** With U+FFFD in place of what is no UTF-8; Java counts what to replace otherwise than Spark. */
  public static UTF8String ofBytes(byte[] bytes) {
    return UTF8String.fromString(new String(bytes, StandardCharsets.UTF_8));
  }

  private static <T> T read(UTF8String text, UTF8String type, boolean lenient, Function<UTF8String, T> reading) {
    T value = null;
    try {
      value = reading.apply(text);
    } catch (NumberFormatException | DateTimeException malformed) {
      value = null;
    }
    if (value == null && !lenient) {
      throw ExpressionException.invalidCast(text.toString(), type.toString());
    }
    return value;
  }

  private static Boolean booleanOf(UTF8String text) {
    String word = text.toString().toLowerCase(Locale.ROOT);
    return TRUE.contains(word) ? Boolean.TRUE : FALSE.contains(word) ? Boolean.FALSE : null;
  }

  /** Digits with a sign; a fraction is cut off. Blanks around it are spaces only, where Spark would take more. */
  private static long whole(UTF8String text, long least, long most) {
    UTF8String trimmed = text.trim();
    UTF8String.LongWrapper number = new UTF8String.LongWrapper();
    boolean plain = trimmed.numBytes() > 0 && trimmed.getByte(0) > ' ' && trimmed.getByte(trimmed.numBytes() - 1) > ' ';
    if (!plain || !trimmed.toLong(number) || number.value < least || number.value > most) {
      throw new NumberFormatException();
    }
    return number.value;
  }

  private static Decimal decimalOf(UTF8String text, int precision, int scale) {
    BigDecimal number = new BigDecimal(text.toString().strip());
    // Written out, `1E999999999` would fill the memory.
    long wholeDigits = (long) number.precision() - number.scale();
    if (wholeDigits > precision) {
      return number.signum() == 0 ? Numbers.fitted(BigDecimal.ZERO, precision, scale) : null;
    }
    return Numbers.fitted(wholeDigits < -scale ? BigDecimal.ZERO : number, precision, scale);
  }
}
