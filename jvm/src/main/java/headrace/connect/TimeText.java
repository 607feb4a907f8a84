package headrace.connect;

import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.TimeZone;

/** Points of time as Java's SimpleDateFormat writes and reads them, in UTC. */
final class TimeText {
  // SimpleDateFormat is not safe for threads, and reading a pattern costs more than using it.
  private static final ThreadLocal<Map<String, TimeText>> KNOWN = ThreadLocal.withInitial(HashMap::new);

  private final SimpleDateFormat format;

  private TimeText(String pattern) {
    format = new SimpleDateFormat(pattern);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
  }

  static TimeText of(String pattern) {
    return KNOWN.get().computeIfAbsent(pattern, TimeText::new);
  }

  /** Connect's own text of a date: a time on the first day, a date at midnight, else both. */
  static String iso(Date value) {
    if (value.getTime() < ConnectType.MILLIS_PER_DAY) {
      return of("HH:mm:ss.SSS'Z'").format(value);
    }
    boolean midnight = value.getTime() % ConnectType.MILLIS_PER_DAY == 0;
    return of(midnight ? "yyyy-MM-dd" : "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").format(value);
  }

  String format(Date value) {
    return format.format(value);
  }

  Date parse(String text) {
    try {
      return format.parse(text);
    } catch (ParseException mismatch) {
      throw DataFault.causedBy("Could not parse timestamp: value (" + text + ") does not match pattern ("
          + format.toPattern() + ")", mismatch.toString());
    }
  }
}
