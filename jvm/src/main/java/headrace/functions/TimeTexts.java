package headrace.functions;

import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Time points read from text and written as text by a pattern. Flink uses two of Java's kinds of patterns: the strict
 * one for timestamps, and the older, lenient one for dates, Unix time and text, which passes over what follows.
 */
public final class TimeTexts {
  private static final String USUAL = "yyyy-MM-dd HH:mm:ss";
  private static final long MILLIS = 1000;
  private static final int MILLI_DIGITS = 3;
  private static final ThreadLocal<RecentlyUsed<DateTimeFormatter>> STRICT =
      ThreadLocal.withInitial(() -> new RecentlyUsed<>(pattern -> DateTimeFormatter.ofPattern(pattern, Locale.US)));
  /** They are not safe between threads. */
  private static final ThreadLocal<RecentlyUsed<SimpleDateFormat>> LENIENT =
      ThreadLocal.withInitial(() -> new RecentlyUsed<>(pattern -> new SimpleDateFormat(pattern, Locale.US)));

  private TimeTexts() {}

  /** Microseconds, as of UTC; null for what cannot be read. */
  public static Long toTimestamp(UTF8String text) {
    try {
      return micros(TimePoints.timestamp(text.toString(), MILLI_DIGITS));
    } catch (DateTimeException unreadable) {
      return null;
    }
  }

  public static Long toTimestamp(UTF8String text, UTF8String pattern) {
    LocalDateTime point = point(text.toString(), pattern.toString());
    return point == null ? null : micros(point);
  }

  public static Long toTimestamp(UTF8String text, UTF8String pattern, UTF8String zone) {
    LocalDateTime point = point(text.toString(), pattern.toString());
    try {
      return point == null ? null : micros(point.atZone(ZoneId.of(zone.toString())).toInstant());
    } catch (DateTimeException noZone) {
      return null;
    }
  }

  public static Integer toDate(UTF8String text) {
    try {
      return (int) TimePoints.date(text.toString()).toEpochDay();
    } catch (DateTimeException | NumberFormatException unreadable) {
      return null;
    }
  }

  public static Integer toDate(UTF8String text, UTF8String pattern) {
    Date point = read(text, lenient("TO_DATE", pattern.toString(), ZoneOffset.UTC.getId()));
    return point == null ? null : (int) LocalDate.ofInstant(point.toInstant(), ZoneOffset.UTC).toEpochDay();
  }

  /** Text that cannot be read counts as the least number. */
  public static long toUnixTime(UTF8String text, UTF8String pattern, UTF8String zone) {
    Date point = read(text, lenient("UNIX_TIMESTAMP", pattern.toString(), zone.toString()));
    return point == null ? Long.MIN_VALUE : point.getTime() / MILLIS;
  }

  public static UTF8String ofUnixTime(long seconds, UTF8String pattern, UTF8String zone) {
    SimpleDateFormat layout = lenient("FROM_UNIXTIME", pattern.toString(), zone.toString());
    return UTF8String.fromString(layout.format(new Date(seconds * MILLIS)));
  }

  public static UTF8String formatted(long micros, UTF8String pattern) {
    LocalDateTime point = LocalDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    try {
      return UTF8String.fromString(point.format(STRICT.get().of(pattern.toString())));
    } catch (IllegalArgumentException | DateTimeException wrong) {
      throw ExpressionException.invalidPattern("DATE_FORMAT", pattern.toString());
    }
  }

  /** Text in the usual layout in another one. */
  public static UTF8String formatted(UTF8String text, UTF8String pattern) {
    SimpleDateFormat layout = lenient("DATE_FORMAT", pattern.toString(), ZoneOffset.UTC.getId());
    Date point = read(text, lenient("DATE_FORMAT", USUAL, ZoneOffset.UTC.getId()));
    return point == null ? null : UTF8String.fromString(layout.format(point));
  }

  /** A time zone that is none counts as UTC. */
  public static UTF8String moved(UTF8String text, UTF8String from, UTF8String to) {
    Date point = read(text, lenient("CONVERT_TZ", USUAL, from.toString()));
    return point == null ? null : UTF8String.fromString(lenient("CONVERT_TZ", USUAL, to.toString()).format(point));
  }

  /** What a pattern leaves out is of 1970-01-01 00:00:00. Text that does not fit it may still be in the usual layout. */
  private static LocalDateTime point(String text, String pattern) {
    try {
      return completed(STRICT.get().of(pattern).parse(text));
    } catch (DateTimeParseException other) {
      return usual(text.trim());
    } catch (IllegalArgumentException wrong) {
      return null;
    }
  }

  private static LocalDateTime completed(TemporalAccessor read) {
    LocalDate date = LocalDate.of(
        part(read, ChronoField.YEAR, 1970),
        part(read, ChronoField.MONTH_OF_YEAR, 1),
        part(read, ChronoField.DAY_OF_MONTH, 1));
    LocalTime time = LocalTime.of(
        part(read, ChronoField.HOUR_OF_DAY, 0),
        part(read, ChronoField.MINUTE_OF_HOUR, 0),
        part(read, ChronoField.SECOND_OF_MINUTE, 0),
        part(read, ChronoField.NANO_OF_SECOND, 0));
    return date.atTime(time.truncatedTo(ChronoUnit.MILLIS));
  }

  private static int part(TemporalAccessor read, ChronoField field, int missing) {
    return read.isSupported(field) ? read.get(field) : missing;
  }

  private static LocalDateTime usual(String text) {
    try {
      boolean day = text.indexOf(' ') < 0;
      LocalDateTime point = day
          ? java.sql.Date.valueOf(text).toLocalDate().atStartOfDay()
          : java.sql.Timestamp.valueOf(text).toLocalDateTime();
      return point.truncatedTo(ChronoUnit.MILLIS);
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  private static SimpleDateFormat lenient(String function, String pattern, String zone) {
    try {
      SimpleDateFormat layout = LENIENT.get().of(pattern);
      layout.setTimeZone(TimeZone.getTimeZone(zone));
      return layout;
    } catch (IllegalArgumentException wrong) {
      throw ExpressionException.invalidPattern(function, pattern);
    }
  }

  private static Date read(UTF8String text, SimpleDateFormat layout) {
    try {
      return layout.parse(text.toString());
    } catch (ParseException unreadable) {
      return null;
    }
  }

  private static long micros(LocalDateTime point) {
    return micros(point.toInstant(ZoneOffset.UTC));
  }

  /** Not ChronoUnit.MICROS, which counts nanoseconds first: they have no room for the years after 2262. */
  private static long micros(Instant point) {
    return TimeUnit.SECONDS.toMicros(point.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(point.getNano());
  }
}
