package headrace.connect;

import java.io.Serializable;
import java.util.Date;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts of milliseconds since 1970, by one pattern. */
public final class TimeCodec implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String pattern;

  TimeCodec(String pattern) {
    this.pattern = pattern;
  }

  public UTF8String format(long millis) {
    return UTF8String.fromString(TimeText.of(pattern).format(new Date(millis)));
  }

  @Override
  public String toString() {
    return "ConnectTime";
  }
}
