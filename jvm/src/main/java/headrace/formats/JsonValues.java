package headrace.formats;

import com.fasterxml.jackson.core.Base64Variants;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** The readers of JSON values by SQL type, with the coercions Flink's JSON format makes. */
final class JsonValues {
  private final boolean failOnMissingField;
  private final boolean ignoreParseErrors;
  private final TimeText times;

  JsonValues(FormatSpec format) {
    failOnMissingField = format.flag("fail-on-missing-field");
    ignoreParseErrors = format.ignoresParseErrors();
    times = TimeText.ofStandard(format.text("timestamp-format.standard"));
  }

  /** A reader that also takes null, names the failing value, and yields null for it when errors are ignored. */
  JsonValue of(FieldType type) {
    JsonValue reader = notNull(type);
    return cursor -> cursor.takesNull() ? null : guarded(reader, type, cursor);
  }

  JsonObject object(List<Field> fields) {
    return new JsonObject(fields, this, failOnMissingField);
  }

  private Object guarded(JsonValue reader, FieldType type, JsonCursor cursor) throws IOException {
    int start = cursor.position();
    try {
      return reader.read(cursor);
    } catch (JsonSyntaxException malformed) {
      throw malformed;
    } catch (IOException | RuntimeException misfit) {
      if (!ignoreParseErrors && misfit instanceof FieldException known) {
        throw known;
      }
      cursor.moveTo(start);
      if (!ignoreParseErrors) {
        throw misfit(cursor, type, misfit);
      }
      cursor.passValue();
      return null;
    }
  }

  private static FieldException misfit(JsonCursor cursor, FieldType type, Exception cause) throws IOException {
    if (startsStructure(cursor)) {
      String found = cursor.peek() == '[' ? "an array" : "an object";
      return new FieldException("", "cannot read " + found + " as " + type, cause);
    }
    return FieldException.unreadable(scalar(cursor), type, cause);
  }

  private JsonValue notNull(FieldType type) {
    return switch (type.kind) {
      case "NULL" -> JsonValues::nothing;
      case "BOOLEAN" -> JsonValues::bool;
      case "TINYINT" -> JsonValues::tiny;
      case "SMALLINT" -> JsonValues::small;
      case "INT", "INTERVAL YEAR TO MONTH" -> JsonValues::integer;
      case "BIGINT" -> JsonValues::big;
      case "INTERVAL DAY TO SECOND" -> cursor -> Math.multiplyExact(big(cursor), 1_000L);
      case "FLOAT" -> JsonValues::single;
      case "DOUBLE" -> JsonValues::dual;
      case "DECIMAL" -> cursor -> Decimals.fitted(decimal(cursor), type);
      case "CHAR", "VARCHAR", "STRING" -> JsonValues::string;
      case "BINARY", "VARBINARY", "BYTES" -> JsonValues::bytes;
      case "DATE" -> cursor -> (int) LocalDate.parse(scalar(cursor)).toEpochDay();
      case "TIME" -> cursor -> TimeText.time(scalar(cursor), type.sparkPrecision());
      case "TIMESTAMP" -> cursor -> times.timestamp(scalar(cursor), type.sparkPrecision());
      case "TIMESTAMP_LTZ" -> cursor -> times.instant(scalar(cursor), type.sparkPrecision());
      case "ARRAY" -> array(of(type.children.get(0)));
      case "MAP" -> map(of(type.children.get(1)));
      case "MULTISET" -> map(cursor -> cursor.takesNull() ? null : (Object) integer(cursor));
      case "ROW" -> row(type);
      default -> throw new IllegalArgumentException("JSON has no form for " + type);
    };
  }

  private static Object nothing(JsonCursor cursor) throws IOException {
    cursor.passValue();
    return null;
  }

  private static Object bool(JsonCursor cursor) throws IOException {
    return Boolean.parseBoolean(scalar(cursor).trim());
  }

  private static Object tiny(JsonCursor cursor) throws IOException {
    return isNumber(cursor)
        ? (byte) JsonNumbers.wholeNumber(cursor, Byte.MIN_VALUE, Byte.MAX_VALUE)
        : Byte.parseByte(scalar(cursor).trim());
  }

  private static Object small(JsonCursor cursor) throws IOException {
    return isNumber(cursor)
        ? (short) JsonNumbers.wholeNumber(cursor, Short.MIN_VALUE, Short.MAX_VALUE)
        : Short.parseShort(scalar(cursor).trim());
  }

  private static int integer(JsonCursor cursor) throws IOException {
    return isNumber(cursor)
        ? (int) JsonNumbers.cutNumber(cursor, Integer.MIN_VALUE, Integer.MAX_VALUE)
        : Integer.parseInt(scalar(cursor).trim());
  }

  private static long big(JsonCursor cursor) throws IOException {
    return isNumber(cursor)
        ? JsonNumbers.cutNumber(cursor, Long.MIN_VALUE, Long.MAX_VALUE)
        : Long.parseLong(scalar(cursor).trim());
  }

  private static Object single(JsonCursor cursor) throws IOException {
    return isNumber(cursor) ? JsonNumbers.single(cursor) : Float.parseFloat(scalar(cursor).trim());
  }

  private static Object dual(JsonCursor cursor) throws IOException {
    return isNumber(cursor) ? JsonNumbers.dual(cursor) : Double.parseDouble(scalar(cursor).trim());
  }

  private static BigDecimal decimal(JsonCursor cursor) throws IOException {
    return isNumber(cursor) ? JsonNumbers.decimal(cursor) : new BigDecimal(scalar(cursor).trim());
  }

  private static Object bytes(JsonCursor cursor) throws IOException {
    if (cursor.peek() != '"') {
      throw new IllegalArgumentException("bytes are a string of Base64");
    }
    return Base64Variants.getDefaultVariant().decode(scalar(cursor));
  }

  /** Text without escapes shares the record's bytes. */
  private static Object string(JsonCursor cursor) throws IOException {
    int first = cursor.peek();
    int start = cursor.position();
    if (first != '"') {
      cursor.passValue();
      return first == '{' || first == '['
          ? UTF8String.fromString(JsonStructures.compact(cursor.bytes, start, cursor.position()))
          : UTF8String.fromBytes(cursor.bytes, start, cursor.position() - start);
    }
    boolean escaped = cursor.passString();
    int end = cursor.position() - 1;
    return escaped
        ? UTF8String.fromString(JsonStrings.unescaped(cursor.bytes, start + 1, end))
        : UTF8String.fromBytes(cursor.bytes, start + 1, end - start - 1);
  }

  private JsonValue array(JsonValue element) {
    return cursor -> {
      open(cursor, '[');
      List<Object> elements = new ArrayList<>();
      for (boolean more = cursor.hasFirst(']'); more; more = cursor.hasNext(']')) {
        elements.add(element.read(cursor));
      }
      return new GenericArrayData(elements.toArray());
    };
  }

  /**
   * A key given twice keeps its last value: Spark's maps hold a key once. Entries come in the order of their hashes, which
   * are those of Flink, so that a map written again is the same text.
   */
  private JsonValue map(JsonValue value) {
    return cursor -> {
      open(cursor, '{');
      Map<Object, Object> entries = new HashMap<>();
      for (boolean more = cursor.hasFirst('}'); more; more = cursor.hasNext('}')) {
        UTF8String key = UTF8String.fromString(name(cursor));
        cursor.passColon();
        entries.put(key, value.read(cursor));
      }
      return new ArrayBasedMapData(
          new GenericArrayData(entries.keySet().toArray()), new GenericArrayData(entries.values().toArray()));
    };
  }

  private JsonValue row(FieldType type) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < type.names.size(); i++) {
      fields.add(new Field(type.names.get(i), type.children.get(i), i));
    }
    JsonObject reader = object(fields);
    return cursor -> {
      Object[] cells = new Object[fields.size()];
      reader.read(cursor, cells);
      return new GenericInternalRow(cells);
    };
  }

  private static boolean isNumber(JsonCursor cursor) {
    return JsonCursor.startsNumber(cursor.peek());
  }

  private static boolean startsStructure(JsonCursor cursor) {
    int first = cursor.peek();
    return first == '{' || first == '[';
  }

  private static String name(JsonCursor cursor) throws IOException {
    if (cursor.peek() != '"') {
      throw cursor.unexpected("a field name in quotes");
    }
    return scalar(cursor);
  }

  /** The text of a string, and that of a number or word as it stands in the record. */
  private static String scalar(JsonCursor cursor) throws IOException {
    if (startsStructure(cursor)) {
      throw new IllegalArgumentException("a structure is no scalar");
    }
    int start = cursor.position();
    if (cursor.peek() != '"') {
      cursor.passValue();
      return JsonStrings.text(cursor.bytes, start, cursor.position());
    }
    boolean escaped = cursor.passString();
    int end = cursor.position() - 1;
    return escaped
        ? JsonStrings.unescaped(cursor.bytes, start + 1, end)
        : JsonStrings.text(cursor.bytes, start + 1, end);
  }

  static void open(JsonCursor cursor, char wanted) {
    if (!cursor.opens(wanted)) {
      throw new IllegalArgumentException("expected " + wanted);
    }
  }
}
