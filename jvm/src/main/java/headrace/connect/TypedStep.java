package headrace.connect;

import java.io.Serializable;
import java.util.Date;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** What a transform does to one value with a schema; travels to the tasks as texts. */
public final class TypedStep implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String step;
  private final String settings;
  private final String from;
  private final String to;
  private transient volatile Work work;

  private record Work(ConnectType from, ConnectType to, Map<String, Object> settings) {}

  TypedStep(String step, String settings, String from, String to) {
    this.step = step;
    this.settings = settings;
    this.from = from;
    this.to = to;
  }

  DataType resultType() {
    return work().to().spark();
  }

  public InternalRow apply(InternalRow row) {
    return Outcome.of(() -> {
      ConnectType type = work().from();
      Object value = row.isNullAt(0) ? null : type.toConnect(row.get(0, type.spark()));
      return value == null ? null : work().to().toSpark(result(value));
    });
  }

  private Object result(Object value) {
    return switch (step) {
      case "cast" -> cast(value, (String) work().settings().get("type"));
      case "mask" -> Conversions.masked(value, (String) work().settings().get("replacement"));
      case "convertTime" -> logical(Conversions.convertTime(value, work().settings()));
      default -> throw new IllegalArgumentException(step);
    };
  }

  /** Dates are cast as the numbers that Connect stores, and as their own text to strings. */
  private Object cast(Object value, String type) {
    if (!(value instanceof Date date) || type.equals("string")) {
      return Conversions.castTo(value, type);
    }
    boolean days = work().from().logical.equals(ConnectType.DATE);
    return Conversions.castTo(days ? Math.floorDiv(date.getTime(), ConnectType.MILLIS_PER_DAY) : date.getTime(), type);
  }

  private Object logical(Object time) {
    return work().to().logical.isEmpty() ? time : new Date((Long) time);
  }

  private Work work() {
    if (work == null) {
      work = new Work(ConnectType.parse(from), ConnectType.parse(to), Settings.read(settings));
    }
    return work;
  }

  @Override
  public String toString() {
    return "ConnectStep(" + step + ")";
  }
}
