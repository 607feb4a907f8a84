package headrace.functions;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates and times in the spellings that Flink's CAST takes. */
final class TimePoints {
  private static final int NANO_DIGITS = 9;
  /** Flink's TIME holds milliseconds. */
  private static final int MILLI_DIGITS = 3;

  /** The year alone, year and month, or a whole date; what follows a blank is a time and is not looked at. */
  private static final Pattern DATE = Pattern.compile("(\\d+)(?:\\s*-\\s*(\\d+)(?:\\s*-\\s*(\\d+))?)?(?: .*)?", Pattern.DOTALL);

  private static final Pattern TIME =
      Pattern.compile("\\s*(\\d+)\\s*(?::\\s*(\\d+)\\s*(?::\\s*(\\d+)\\s*(?:\\.\\s*(\\d*))?)?)?\\s*");

  private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
      .appendPattern("yyyy-[MM][M]-[dd][d]")
      .optionalStart()
      .appendPattern(" [HH][H]:[mm][m]:[ss][s]")
      .appendFraction(ChronoField.NANO_OF_SECOND, 0, NANO_DIGITS, true)
      .optionalEnd()
      .toFormatter(Locale.ROOT);

  private TimePoints() {}

  static LocalDate date(String text) {
    Matcher parts = matched(DATE, text);
    int year = number(parts, 1, 0);
    if (year > 9999) {
      throw new DateTimeException("the years end at 9999");
    }
    return LocalDate.of(year, number(parts, 2, 1), number(parts, 3, 1));
  }

  /** A fraction is rounded to milliseconds and then cut. */
  static LocalTime time(String text, int digits) {
    Matcher parts = matched(TIME, text);
    int millis = parts.group(4) == null ? 0 : millis(parts.group(4));
    LocalTime whole = LocalTime.of(number(parts, 1, 0), number(parts, 2, 0), number(parts, 3, 0));
    LocalTime point = whole.plusNanos(millis * power(NANO_DIGITS - MILLI_DIGITS));
    return point.withNano(cut(point.getNano(), digits));
  }

  static LocalDateTime timestamp(String text, int digits) {
    TemporalAccessor read = TIMESTAMP.parse(text);
    LocalDate date = read.query(TemporalQueries.localDate());
    LocalTime time = read.query(TemporalQueries.localTime());
    LocalDateTime point = LocalDateTime.of(date, time == null ? LocalTime.MIDNIGHT : time);
    return point.withNano(cut(point.getNano(), digits));
  }

  private static Matcher matched(Pattern form, String text) {
    Matcher parts = form.matcher(text);
    if (!parts.matches()) {
      throw new DateTimeException("not in the expected form");
    }
    return parts;
  }

  private static int number(Matcher parts, int group, int missing) {
    return parts.group(group) == null ? missing : Integer.parseInt(parts.group(group));
  }

  private static int millis(String fraction) {
    String padded = (fraction + "0000").substring(0, MILLI_DIGITS + 1);
    int millis = Integer.parseInt(padded.substring(0, MILLI_DIGITS));
    return padded.charAt(MILLI_DIGITS) >= '5' ? millis + 1 : millis;
  }

  private static int cut(int nanos, int digits) {
    int step = (int) power(NANO_DIGITS - Math.min(digits, NANO_DIGITS));
    return nanos - nanos % step;
  }

  private static long power(int digits) {
    long power = 1;
    for (int i = 0; i < digits; i++) {
      power *= 10;
    }
    return power;
  }
}
