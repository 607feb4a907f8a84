package headrace.lake;

import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;
import org.joda.time.DateTimeZone;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.DateTimeFormatter;

/** The output partition of a time, by a pattern of Joda's, at whole multiples of a duration in the local time of a zone. */
public final class TimePath implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String pattern;
  private final String zone;
  private final String locale;
  private final long duration;
  private transient DateTimeFormatter format;
  private transient DateTimeZone local;

  TimePath(String pattern, String zone, String locale, long duration) {
    this.pattern = pattern;
    this.zone = zone;
    this.locale = locale;
    this.duration = duration;
  }

  /** Called from generated code. */
  public UTF8String of(long millis) {
    return UTF8String.fromString(format().print(begin(millis)));
  }

  private long begin(long millis) {
    format();
    long here = local.convertUTCToLocal(millis);
    return local.convertLocalToUTC(here / duration * duration, false);
  }

  private DateTimeFormatter format() {
    if (format == null) {
      local = DateTimeZone.forID(zone);
      format = DateTimeFormat.forPattern(pattern).withZone(local).withLocale(Locale.forLanguageTag(locale.replace('_', '-')));
    }
    return format;
  }

  @Override
  public String toString() {
    return "TimePath";
  }
}
