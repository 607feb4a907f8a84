package headrace.connect.jdbc;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates and times as databases print them: PostgreSQL in its ISO style (with years BC and infinity), MySQL its durations. */
final class TimeTexts {
  private static final Pattern DURATION = Pattern.compile("(-?)(\\d+):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?");
  private static final Pattern MOMENT = Pattern.compile(
      "(\\d+)-(\\d\\d)-(\\d\\d)(?: (\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?([+-]\\d\\d(?::\\d\\d){0,2})?)?( BC)?");
  private static final int HOURS_PER_DAY = 24;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int SECONDS_PER_HOUR = 3600;
  private static final int MILLIS_PER_SECOND = 1000;
  private static final int NANO_DIGITS = 9;
  private static final int MILLI_DIGITS = 3;
  /** The last millisecond of a day: PostgreSQL's 24:00:00 is no time of Connect's. */
  private static final int LAST_MILLI = HOURS_PER_DAY * SECONDS_PER_HOUR * MILLIS_PER_SECOND - 1;

  private TimeTexts() {}

  static int millisOfDay(String text) throws Unrepresentable {
    Matcher found = DURATION.matcher(text);
    if (!found.matches() || !found.group(1).isEmpty()) {
      throw new Unrepresentable(text, "a time of day");
    }
    int hours = Integer.parseInt(found.group(2));
    int seconds = hours * SECONDS_PER_HOUR + Integer.parseInt(found.group(3)) * SECONDS_PER_MINUTE
        + Integer.parseInt(found.group(4));
    int millis = seconds * MILLIS_PER_SECOND + fraction(found.group(5), MILLI_DIGITS);
    if (millis > LAST_MILLI + 1) {
      throw new Unrepresentable(text, "a time of day");
    }
    return Math.min(millis, LAST_MILLI);
  }

  private static int fraction(String digits, int wanted) {
    if (digits == null) {
      return 0;
    }
    String padded = digits + "0".repeat(wanted);
    return Integer.parseInt(padded.substring(0, wanted));
  }

  static LocalDate date(String text) throws Unrepresentable {
    return local(text, "a date").toLocalDate();
  }

  static LocalDateTime timestamp(String text) throws Unrepresentable {
    return local(text, "a timestamp");
  }

  static OffsetDateTime instant(String text) throws Unrepresentable {
    Matcher found = matched(text, "a timestamp");
    String offset = found.group(8);
    return local(found).atOffset(offset == null ? ZoneOffset.UTC : ZoneOffset.of(offset));
  }

  private static LocalDateTime local(String text, String target) throws Unrepresentable {
    return local(matched(text, target));
  }

  private static Matcher matched(String text, String target) throws Unrepresentable {
    Matcher found = MOMENT.matcher(text);
    if (!found.matches()) {
      throw new Unrepresentable(text, target);
    }
    return found;
  }

  private static LocalDateTime local(Matcher found) {
    int year = Integer.parseInt(found.group(1));
    // There is no year 0: 1 BC is the one before the year 1.
    int proleptic = found.group(9) == null ? year : 1 - year;
    LocalDate date = LocalDate.of(proleptic, number(found, 2), number(found, 3));
    return date.atTime(number(found, 4), number(found, 5), number(found, 6), fraction(found.group(7), NANO_DIGITS));
  }

  private static int number(Matcher found, int group) {
    return found.group(group) == null ? 0 : Integer.parseInt(found.group(group));
  }
}
