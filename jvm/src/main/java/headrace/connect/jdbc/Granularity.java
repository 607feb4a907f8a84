package headrace.connect.jdbc;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** What a timestamp becomes, by the values of 'timestamp.granularity'. */
enum Granularity {
  CONNECT_LOGICAL(DataTypes.TimestampType),
  MICROS_LONG(DataTypes.LongType),
  MICROS_STRING(DataTypes.StringType),
  MICROS_ISO_DATETIME_STRING(DataTypes.StringType),
  NANOS_LONG(DataTypes.LongType),
  NANOS_STRING(DataTypes.StringType),
  NANOS_ISO_DATETIME_STRING(DataTypes.StringType);

  private static final long PER_SECOND_MICROS = 1_000_000L;
  private static final long PER_SECOND_NANOS = 1_000_000_000L;
  private static final int NANOS_PER_MICRO = 1000;
  private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS");
  private static final DateTimeFormatter NANOS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS");

  private final DataType type;

  Granularity(DataType type) {
    this.type = type;
  }

  static Granularity of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  DataType type() {
    return type;
  }

  /** `zone` is that of texts. */
  Object value(Instant moment, ZoneId zone) throws Unrepresentable {
    return switch (this) {
      case CONNECT_LOGICAL, MICROS_LONG -> micros(moment);
      case NANOS_LONG -> nanos(moment);
      case MICROS_STRING -> UTF8String.fromString(Long.toString(micros(moment)));
      case NANOS_STRING -> UTF8String.fromString(Long.toString(nanos(moment)));
      case MICROS_ISO_DATETIME_STRING -> UTF8String.fromString(MICROS.format(moment.atZone(zone)));
      case NANOS_ISO_DATETIME_STRING -> UTF8String.fromString(NANOS.format(moment.atZone(zone)));
    };
  }

  private static long micros(Instant moment) throws Unrepresentable {
    return scaled(moment, PER_SECOND_MICROS, moment.getNano() / NANOS_PER_MICRO);
  }

  private static long nanos(Instant moment) throws Unrepresentable {
    return scaled(moment, PER_SECOND_NANOS, moment.getNano());
  }

  private static long scaled(Instant moment, long perSecond, int fraction) throws Unrepresentable {
    try {
      return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), perSecond), fraction);
    } catch (ArithmeticException outside) {
      throw new Unrepresentable(moment.toString(), "64 bits of 1/" + perSecond + " seconds");
    }
  }
}
