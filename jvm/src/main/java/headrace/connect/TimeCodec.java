package headrace.connect;

import java.io.Serializable;
import java.util.Date;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts of milliseconds since 1970 and back, by one pattern; an empty pattern is Connect's own text. */
public final class TimeCodec implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String pattern;
  // SimpleDateFormat is not safe for threads, and tasks of one process share a constant of the plan.
  private transient volatile ThreadLocal<TimeText> texts;

  TimeCodec(String pattern) {
    this.pattern = pattern;
  }

  public UTF8String format(long millis) {
    Date date = new Date(millis);
    return UTF8String.fromString(pattern.isEmpty() ? TimeText.iso(date) : text().format(date));
  }

  public InternalRow parse(UTF8String text) {
    return Outcome.of(() -> text == null ? null : text().parse(text.toString()).getTime());
  }

  private TimeText text() {
    if (texts == null) {
      texts = ThreadLocal.withInitial(() -> new TimeText(pattern));
    }
    return texts.get();
  }

  @Override
  public String toString() {
    return "ConnectTime";
  }
}
