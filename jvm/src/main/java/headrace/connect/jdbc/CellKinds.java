package headrace.connect.jdbc;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.util.Calendar;
import java.util.TimeZone;
import org.apache.spark.sql.catalyst.util.RebaseDateTime;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** The ways to read a column, by the names that the dialects give them. */
final class CellKinds {
  /** What Spark's decimals hold at most. */
  static final int DIGITS = 38;

  private static final long MILLIS_PER_SECOND = 1000L;
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final ZoneId zone;
  private final Granularity granularity;
  private final boolean legacyDates;

  CellKinds(ZoneId zone, Granularity granularity, boolean legacyDates) {
    this.zone = zone;
    this.granularity = granularity;
    this.legacyDates = legacyDates;
  }

  @FunctionalInterface
  interface Reading {
    Object read(ResultSet row, int place) throws SQLException;
  }

  private static Cell cell(DataType type, Reading reading) {
    return new Cell() {
      @Override
      public DataType type() {
        return type;
      }

      @Override
      public Object read(ResultSet row, int place) throws SQLException {
        return reading.read(row, place);
      }
    };
  }

  /** By name, with an argument behind a colon where there is one. */
  Cell cell(String kind) {
    int colon = kind.indexOf(':');
    String argument = colon < 0 ? "" : kind.substring(colon + 1);
    switch (colon < 0 ? kind : kind.substring(0, colon)) {
      case "array": return ArrayCell.of(argument, this);
      case "decimal": return decimal(Integer.parseInt(argument));
      case "whole": return whole(argument);
      case "date": return cell(DataTypes.DateType, this::date);
      case "time": return cell(DataTypes.IntegerType, CellKinds::time);
      case "timetz": return cell(DataTypes.IntegerType, CellKinds::zonedTime);
      case "year": return cell(DataTypes.DateType, CellKinds::year);
      case "timestamp": return cell(granularity.type(), this::timestamp);
      case "driven_date": return cell(DataTypes.DateType, CellKinds::drivenDate);
      case "driven_timestamp": return cell(granularity.type(), this::drivenTimestamp);
      case "instant": return cell(granularity.type(), this::instant);
      default: return plain(kind);
    }
  }

  private static Cell plain(String kind) {
    return switch (kind) {
      case "boolean" -> cell(DataTypes.BooleanType, (row, i) -> kept(row, row.getBoolean(i)));
      case "int8" -> cell(DataTypes.ByteType, (row, i) -> kept(row, row.getByte(i)));
      case "int16" -> cell(DataTypes.ShortType, (row, i) -> kept(row, row.getShort(i)));
      case "int32" -> cell(DataTypes.IntegerType, (row, i) -> kept(row, row.getInt(i)));
      case "int64" -> cell(DataTypes.LongType, (row, i) -> kept(row, row.getLong(i)));
      case "float" -> cell(DataTypes.FloatType, (row, i) -> kept(row, row.getFloat(i)));
      case "double" -> cell(DataTypes.DoubleType, (row, i) -> kept(row, row.getDouble(i)));
      case "bytes" -> cell(DataTypes.BinaryType, ResultSet::getBytes);
      case "string" -> cell(DataTypes.StringType, (row, i) -> UTF8String.fromString(row.getString(i)));
      // Where the driver hands the bytes of a text through, which are UTF-8 already.
      case "utf8" -> cell(DataTypes.StringType, (row, i) -> UTF8String.fromBytes(row.getBytes(i)));
      default -> throw new IllegalArgumentException("no way to read " + kind);
    };
  }

  private static Object kept(ResultSet row, Object value) throws SQLException {
    return row.wasNull() ? null : value;
  }

  private static Cell decimal(int scale) {
    return cell(DataTypes.createDecimalType(DIGITS, scale), (row, i) -> {
      BigDecimal number = number(row, i);
      return number == null ? null : decimal(number, scale);
    });
  }

  static Decimal decimal(BigDecimal number, int scale) throws Unrepresentable {
    BigDecimal scaled = number.setScale(scale, RoundingMode.UNNECESSARY);
    if (scaled.precision() > DIGITS) {
      throw new Unrepresentable(number.toPlainString(), "a number of " + DIGITS + " digits");
    }
    return Decimal.apply(scaled, DIGITS, scale);
  }

  /** A number of a type for decimals that has no digits behind the point. */
  private static Cell whole(String kind) {
    return switch (kind) {
      case "int8" -> cell(DataTypes.ByteType, (row, i) -> {
        BigDecimal number = number(row, i);
        return number == null ? null : number.byteValueExact();
      });
      case "int16" -> cell(DataTypes.ShortType, (row, i) -> {
        BigDecimal number = number(row, i);
        return number == null ? null : number.shortValueExact();
      });
      case "int32" -> cell(DataTypes.IntegerType, (row, i) -> {
        BigDecimal number = number(row, i);
        return number == null ? null : number.intValueExact();
      });
      default -> cell(DataTypes.LongType, (row, i) -> {
        BigDecimal number = number(row, i);
        return number == null ? null : longOf(number);
      });
    };
  }

  private static long longOf(BigDecimal number) throws Unrepresentable {
    try {
      return number.longValueExact();
    } catch (ArithmeticException outside) {
      throw new Unrepresentable(number.toPlainString(), "a number of 64 bits");
    }
  }

  /** By its text, since drivers disagree on what they do with NaN and Infinity. */
  private static BigDecimal number(ResultSet row, int place) throws SQLException {
    String text = row.getString(place);
    return text == null ? null : number(text);
  }

  static BigDecimal number(String text) throws Unrepresentable {
    char last = text.charAt(text.length() - 1);
    if (last == 'N' || last == 'y') {
      throw new Unrepresentable(text, "a number with a fixed point");
    }
    return new BigDecimal(text);
  }

  private Object date(ResultSet row, int place) throws SQLException {
    LocalDate date = row.getObject(place, LocalDate.class);
    if (date == null) {
      return absent(row, place, "a date");
    }
    return days(date);
  }

  int days(LocalDate date) throws Unrepresentable {
    if (date.equals(LocalDate.MAX) || date.equals(LocalDate.MIN)) {
      throw new Unrepresentable(date.equals(LocalDate.MAX) ? "infinity" : "-infinity", "a date");
    }
    int days = Math.toIntExact(date.toEpochDay());
    return legacyDates ? RebaseDateTime.rebaseGregorianToJulianDays(days) : days;
  }

  /** Drivers give null for dates that no calendar has (MySQL's 0000-00-00). */
  private static Object absent(ResultSet row, int place, String target) throws SQLException {
    String text = row.getString(place);
    if (text != null) {
      throw new Unrepresentable(text, target);
    }
    return null;
  }

  /** By its text: MySQL's times are durations, of which only some are a time of day. */
  private static Object time(ResultSet row, int place) throws SQLException {
    String text = row.getString(place);
    return text == null ? null : TimeTexts.millisOfDay(text);
  }

  private static Object zonedTime(ResultSet row, int place) throws SQLException {
    OffsetTime time = row.getObject(place, OffsetTime.class);
    if (time == null) {
      return null;
    }
    long millis = time.toLocalTime().toNanoOfDay() / NANOS_PER_MILLI;
    return (int) Math.floorMod(millis - time.getOffset().getTotalSeconds() * MILLIS_PER_SECOND, MILLIS_PER_DAY);
  }

  private static Object year(ResultSet row, int place) throws SQLException {
    int year = row.getInt(place);
    return row.wasNull() ? null : (int) LocalDate.of(year, 1, 1).toEpochDay();
  }

  private Object timestamp(ResultSet row, int place) throws SQLException {
    LocalDateTime moment = row.getObject(place, LocalDateTime.class);
    if (moment == null) {
      return absent(row, place, "a timestamp");
    }
    return value(moment);
  }

  Object value(LocalDateTime moment) throws Unrepresentable {
    checkFinite(moment, LocalDateTime.MAX, LocalDateTime.MIN);
    return value(moment.atZone(zone).toInstant());
  }

  /** From drivers that know nothing of java.time; the calendar of Java's older classes is the one of Connect's. */
  private static Object drivenDate(ResultSet row, int place) throws SQLException {
    Date date = row.getDate(place, Calendar.getInstance(TimeZone.getTimeZone("UTC")));
    return date == null ? null : (int) Math.floorDiv(date.getTime(), MILLIS_PER_DAY);
  }

  private Object drivenTimestamp(ResultSet row, int place) throws SQLException {
    Timestamp moment = row.getTimestamp(place, Calendar.getInstance(TimeZone.getTimeZone(zone)));
    return moment == null ? null : granularity.value(moment.toInstant(), zone);
  }

  private Object instant(ResultSet row, int place) throws SQLException {
    OffsetDateTime moment = row.getObject(place, OffsetDateTime.class);
    return moment == null ? absent(row, place, "a timestamp") : value(moment);
  }

  Object value(OffsetDateTime moment) throws Unrepresentable {
    checkFinite(moment, OffsetDateTime.MAX, OffsetDateTime.MIN);
    return value(moment.toInstant());
  }

  private Object value(Instant moment) throws Unrepresentable {
    Object value = granularity.value(moment, zone);
    return legacyDates && granularity == Granularity.CONNECT_LOGICAL
        ? RebaseDateTime.rebaseGregorianToJulianMicros("UTC", (Long) value) : value;
  }

  private static void checkFinite(Object moment, Object latest, Object earliest) throws Unrepresentable {
    if (moment.equals(latest) || moment.equals(earliest)) {
      throw new Unrepresentable(moment.equals(latest) ? "infinity" : "-infinity", "a timestamp");
    }
  }

  Granularity granularity() {
    return granularity;
  }
}
