package headrace.formats;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;

/**
 * Dates and times as text, in the two standards Flink's formats know: SQL (a space between date and time) and
 * ISO-8601 (a T). Instants carry a trailing Z and are always in UTC.
 */
final class TimeText {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final int MAX_FRACTION_DIGITS = 9;
  private static final int WHOLE_SECONDS_LENGTH = "yyyy-MM-dd HH:mm:ss".length();
  private static final long[] POWERS_OF_TEN =
      {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000};

  private static final DateTimeFormatter SQL_TIME = new DateTimeFormatterBuilder()
      .appendPattern("HH:mm:ss")
      .appendFraction(ChronoField.NANO_OF_SECOND, 0, MAX_FRACTION_DIGITS, true)
      .toFormatter();
  private static final DateTimeFormatter SQL_TIMESTAMP = new DateTimeFormatterBuilder()
      .append(DateTimeFormatter.ISO_LOCAL_DATE)
      .appendLiteral(' ')
      .append(SQL_TIME)
      .toFormatter();

  private final char separator;
  private final DateTimeFormatter timestampFormat;

  private TimeText(char separator, DateTimeFormatter timestampFormat) {
    this.separator = separator;
    this.timestampFormat = timestampFormat;
  }

  static TimeText sql() {
    return new TimeText(' ', SQL_TIMESTAMP);
  }

  static TimeText iso8601() {
    return new TimeText('T', DateTimeFormatter.ISO_LOCAL_DATE_TIME);
  }

  static TimeText ofStandard(String standard) {
    return "ISO-8601".equals(standard) ? iso8601() : sql();
  }

  /** Microseconds since 1970, finer digits than {@code precision} cut off. */
  long timestamp(String text, int precision) {
    long fast = fixedWidth(text);
    long micros = fast != Long.MIN_VALUE ? fast : micros(LocalDateTime.parse(text, timestampFormat));
    return cut(micros, precision);
  }

  long instant(String text, int precision) {
    if (!text.endsWith("Z")) {
      throw new IllegalArgumentException("an instant ends in Z");
    }
    return timestamp(text.substring(0, text.length() - 1), precision);
  }

  /** Nanoseconds of the day, which is how Spark holds a TIME. */
  static long time(String text, int precision) {
    return cutNanos(LocalTime.parse(text, SQL_TIME).toNanoOfDay(), precision);
  }

  static String formatTime(long nanosOfDay) {
    return SQL_TIME.format(LocalTime.ofNanoOfDay(nanosOfDay));
  }

  static long cutNanos(long nanos, int precision) {
    long unit = POWERS_OF_TEN[MAX_FRACTION_DIGITS - Math.min(precision, MAX_FRACTION_DIGITS)];
    return nanos - Math.floorMod(nanos, unit);
  }

  String formatTimestamp(long micros) {
    long seconds = Math.floorDiv(micros, MICROS_PER_SECOND);
    int nanos = (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO;
    return timestampFormat.format(LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC));
  }

  String formatInstant(long micros) {
    return formatTimestamp(micros) + "Z";
  }

  private static long micros(LocalDateTime time) {
    long seconds = time.toEpochSecond(ZoneOffset.UTC);
    return seconds * MICROS_PER_SECOND + time.getNano() / NANOS_PER_MICRO;
  }

  private static long cut(long micros, int precision) {
    long unit = precision >= 6 ? 1 : POWERS_OF_TEN[6 - precision];
    return micros - Math.floorMod(micros, unit);
  }

  /**
   * The usual `yyyy-MM-dd HH:mm:ss[.fraction]` read digit by digit, some ten times faster than a formatter; the
   * minimum value for any other text, which the formatter then judges.
   */
  private long fixedWidth(String text) {
    int length = text.length();
    if (length < WHOLE_SECONDS_LENGTH || text.charAt(4) != '-' || text.charAt(7) != '-'
        || text.charAt(10) != separator || text.charAt(13) != ':' || text.charAt(16) != ':') {
      return Long.MIN_VALUE;
    }
    int year = digits(text, 0, 4);
    int month = digits(text, 5, 7);
    int day = digits(text, 8, 10);
    int hour = digits(text, 11, 13);
    int minute = digits(text, 14, 16);
    int second = digits(text, 17, 19);
    long fraction = fraction(text, length);
    if ((year | month | day | hour | minute | second | fraction) < 0) {
      return Long.MIN_VALUE;
    }
    try {
      return micros(LocalDateTime.of(year, month, day, hour, minute, second)) + fraction;
    } catch (DateTimeException outOfRange) {
      return Long.MIN_VALUE;
    }
  }

  private static long fraction(String text, int length) {
    if (length == WHOLE_SECONDS_LENGTH) {
      return 0;
    }
    int first = WHOLE_SECONDS_LENGTH + 1;
    if (text.charAt(WHOLE_SECONDS_LENGTH) != '.' || length == first || length > first + 6) {
      return -1;
    }
    int value = digits(text, first, length);
    return value < 0 ? -1 : value * POWERS_OF_TEN[6 - (length - first)];
  }

  private static int digits(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
