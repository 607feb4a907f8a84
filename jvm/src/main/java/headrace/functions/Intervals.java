package headrace.functions;

import java.util.concurrent.TimeUnit;
import org.apache.spark.unsafe.types.UTF8String;

/** Intervals as Flink prints them, with their sign and three digits of a second's fraction. */
public final class Intervals {
  private static final int MONTHS_PER_YEAR = 12;

  private Intervals() {}

  public static UTF8String text(int months) {
    long size = Math.abs((long) months);
    return UTF8String.fromString(
        String.format("%s%d-%02d", sign(months), size / MONTHS_PER_YEAR, size % MONTHS_PER_YEAR));
  }

  public static UTF8String text(long micros) {
    long millis = Math.abs(TimeUnit.MICROSECONDS.toMillis(micros));
    long seconds = TimeUnit.MILLISECONDS.toSeconds(millis);
    String shown = String.format(
        "%s%d %02d:%02d:%02d.%03d",
        sign(micros),
        TimeUnit.SECONDS.toDays(seconds),
        TimeUnit.SECONDS.toHours(seconds) % TimeUnit.DAYS.toHours(1),
        TimeUnit.SECONDS.toMinutes(seconds) % TimeUnit.HOURS.toMinutes(1),
        seconds % TimeUnit.MINUTES.toSeconds(1),
        millis % TimeUnit.SECONDS.toMillis(1));
    return UTF8String.fromString(shown);
  }

  private static String sign(long size) {
    return size < 0 ? "-" : "+";
  }
}
