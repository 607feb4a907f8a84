package headrace.formats;

import org.apache.avro.Schema;

/**
 * The unit an Avro time counts in: that of the schema's logical type, else the one that fits the column's precision.
 * Zoned and local timestamps differ in name only, never in their bytes.
 */
final class AvroTimes {
  private static final int MILLIS = 3;
  private static final int MICROS = 6;
  private static final int NANOS = 9;
  private static final long THOUSAND = 1_000L;

  private AvroTimes() {}

  /** Digits of a second's fraction that one unit stands for. */
  static int digits(Schema schema, FieldType type) {
    String name = schema.getProp("logicalType");
    if (name != null && name.endsWith("-millis")) {
      return MILLIS;
    }
    if (name != null && name.endsWith("-micros")) {
      return MICROS;
    }
    boolean isFine = type.precision > MICROS || name != null && name.endsWith("-nanos");
    return isFine ? NANOS : type.precision > MILLIS ? MICROS : MILLIS;
  }

  static long toMicros(long value, int digits) {
    return switch (digits) {
      case MILLIS -> Math.multiplyExact(value, THOUSAND);
      case MICROS -> value;
      default -> Math.floorDiv(value, THOUSAND);
    };
  }

  static long fromMicros(long micros, int digits) {
    return switch (digits) {
      case MILLIS -> Math.floorDiv(micros, THOUSAND);
      case MICROS -> micros;
      default -> Math.multiplyExact(micros, THOUSAND);
    };
  }

  /** A time of day as Spark's nanoseconds. */
  static long toNanos(long value, int digits) {
    return switch (digits) {
      case MILLIS -> value * THOUSAND * THOUSAND;
      case MICROS -> value * THOUSAND;
      default -> value;
    };
  }
}
