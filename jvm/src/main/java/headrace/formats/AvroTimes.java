package headrace.formats;

/**
 * The unit an Avro timestamp counts in, by the column's precision: milliseconds up to 3 digits, microseconds up to
 * 6, else nanoseconds. Zoned and local timestamps differ in name only, never in their bytes.
 */
final class AvroTimes {
  private static final long MICROS_PER_MILLI = 1_000L;
  private static final long NANOS_PER_MICRO = 1_000L;

  private AvroTimes() {}

  static long toMicros(long value, int precision) {
    if (precision <= 3) {
      return Math.multiplyExact(value, MICROS_PER_MILLI);
    }
    return precision <= 6 ? value : Math.floorDiv(value, NANOS_PER_MICRO);
  }

  static long fromMicros(long micros, int precision) {
    if (precision <= 3) {
      return Math.floorDiv(micros, MICROS_PER_MILLI);
    }
    return precision <= 6 ? micros : Math.multiplyExact(micros, NANOS_PER_MICRO);
  }
}
