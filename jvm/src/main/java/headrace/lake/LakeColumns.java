package headrace.lake;

import headrace.formats.Codecs;
import headrace.operators.Packed;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.joda.time.DateTimeZone;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.ISODateTimeFormat;

/** Columns that a sink of files computes; called from Python. */
public final class LakeColumns {
  private static final long DAY = 86_400_000L;

  private LakeColumns() {}

  /** The output partition of milliseconds since 1970. */
  public static Column timePath(String pattern, String zone, String locale, long duration, Column millis) {
    return Codecs.call(new TimePath(pattern, zone, locale, duration), "of", DataTypes.StringType, List.of(millis));
  }

  /** Text as part of a path. */
  public static Column segment(String delimiter, Column text) {
    return Codecs.call(new PathSegment(delimiter), "escape", DataTypes.StringType, List.of(text));
  }

  /** Milliseconds since 1970 of text in the form of ISO 8601; NULL where it is none. */
  public static Column isoMillis(Column text) {
    return Codecs.call(new IsoTime(), "millis", DataTypes.LongType, List.of(text));
  }

  /** A struct as bytes, in the layout that a file of Parquet is written from. */
  public static Column packed(StructType schema, Column struct) {
    return Packed.pack(schema, struct);
  }

  /** Why a pattern of a path cannot be used, or null. */
  public static String patternFault(String pattern) {
    try {
      DateTimeFormat.forPattern(pattern);
      return null;
    } catch (IllegalArgumentException fault) {
      return fault.getMessage();
    }
  }

  /**
   * When the next scheduled moment is: multiples of the interval since midnight, local time. Where they do not end with the
   * day, as where the clocks change, the next day's midnight is one too.
   */
  public static long nextSchedule(long now, long interval, String zone) {
    org.joda.time.DateTime here = new org.joda.time.DateTime(now, DateTimeZone.forID(zone));
    long midnight = here.withTimeAtStartOfDay().getMillis();
    long next = midnight + ((now - midnight) / interval + 1) * interval;
    return interval > DAY ? next : Math.min(next, here.plusDays(1).withTimeAtStartOfDay().getMillis());
  }

  /** Called from generated code. */
  public static final class IsoTime implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public Long millis(org.apache.spark.unsafe.types.UTF8String text) {
      if (text == null) {
        return null;
      }
      try {
        return ISODateTimeFormat.dateTimeParser().withZoneUTC().parseMillis(text.toString());
      } catch (IllegalArgumentException malformed) {
        return null;
      }
    }
  }
}
