package headrace.formats;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    return parser -> parser.currentToken() == JsonToken.VALUE_NULL ? null : guarded(reader, type, parser);
  }

  JsonObject object(List<Field> fields) {
    return new JsonObject(fields, this, failOnMissingField);
  }

  private Object guarded(JsonValue reader, FieldType type, JsonParser parser) throws IOException {
    JsonToken start = parser.currentToken();
    var outer = start.isStructStart() ? parser.getParsingContext().getParent() : parser.getParsingContext();
    try {
      return reader.read(parser);
    } catch (JsonParseException malformed) {
      throw malformed;
    } catch (IOException | RuntimeException misfit) {
      if (!ignoreParseErrors) {
        throw misfit instanceof FieldException known ? known : misfit(parser, start, type, misfit);
      }
      while (parser.getParsingContext() != outer) {
        parser.nextToken();
      }
      return null;
    }
  }

  private static FieldException misfit(JsonParser parser, JsonToken start, FieldType type, Exception cause)
      throws IOException {
    if (start.isStructStart()) {
      String found = start == JsonToken.START_ARRAY ? "an array" : "an object";
      return new FieldException("", "cannot read " + found + " as " + type, cause);
    }
    return FieldException.unreadable(parser.getText(), type, cause);
  }

  private JsonValue notNull(FieldType type) {
    return switch (type.kind) {
      case "NULL" -> parser -> null;
      case "BOOLEAN" -> JsonValues::bool;
      case "TINYINT" -> JsonValues::tiny;
      case "SMALLINT" -> JsonValues::small;
      case "INT", "INTERVAL YEAR TO MONTH" -> JsonValues::integer;
      case "BIGINT" -> JsonValues::big;
      case "INTERVAL DAY TO SECOND" -> parser -> Math.multiplyExact((long) big(parser), 1_000L);
      case "FLOAT" -> JsonValues::single;
      case "DOUBLE" -> JsonValues::dual;
      case "DECIMAL" -> parser -> Decimals.fitted(decimal(parser), type);
      case "CHAR", "VARCHAR", "STRING" -> JsonValues::string;
      case "BINARY", "VARBINARY", "BYTES" -> JsonValues::bytes;
      case "DATE" -> parser -> (int) LocalDate.parse(scalar(parser)).toEpochDay();
      case "TIME" -> parser -> TimeText.time(scalar(parser), type.sparkPrecision());
      case "TIMESTAMP" -> parser -> times.timestamp(scalar(parser), type.sparkPrecision());
      case "TIMESTAMP_LTZ" -> parser -> times.instant(scalar(parser), type.sparkPrecision());
      case "ARRAY" -> array(of(type.children.get(0)));
      case "MAP" -> map(of(type.children.get(1)));
      case "MULTISET" -> map(parser -> parser.currentToken() == JsonToken.VALUE_NULL ? null : integer(parser));
      case "ROW" -> row(type);
      default -> throw new IllegalArgumentException("JSON has no form for " + type);
    };
  }

  private static Object bool(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> Boolean.parseBoolean(scalar(parser).trim());
    };
  }

  private static Object tiny(JsonParser parser) throws IOException {
    return Byte.parseByte(scalar(parser).trim());
  }

  private static Object small(JsonParser parser) throws IOException {
    return Short.parseShort(scalar(parser).trim());
  }

  private static Object integer(JsonParser parser) throws IOException {
    return isNumber(parser) ? (Object) parser.getIntValue() : Integer.parseInt(scalar(parser).trim());
  }

  private static Object big(JsonParser parser) throws IOException {
    return isNumber(parser) ? (Object) parser.getLongValue() : Long.parseLong(scalar(parser).trim());
  }

  private static Object single(JsonParser parser) throws IOException {
    return isNumber(parser) ? (Object) parser.getFloatValue() : Float.parseFloat(scalar(parser).trim());
  }

  private static Object dual(JsonParser parser) throws IOException {
    return isNumber(parser) ? (Object) parser.getDoubleValue() : Double.parseDouble(scalar(parser).trim());
  }

  private static BigDecimal decimal(JsonParser parser) throws IOException {
    return isNumber(parser) ? parser.getDecimalValue() : new BigDecimal(scalar(parser).trim());
  }

  private static Object bytes(JsonParser parser) throws IOException {
    return Base64Variants.getDefaultVariant().decode(scalar(parser));
  }

  private static Object string(JsonParser parser) throws IOException {
    return UTF8String.fromString(parser.currentToken().isStructStart() ? structure(parser) : parser.getText());
  }

  /** An object or array as compact JSON text. */
  private static String structure(JsonParser parser) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JsonRecordReader.FACTORY.createGenerator(text)) {
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  private JsonValue array(JsonValue element) {
    return parser -> {
      expect(parser, JsonToken.START_ARRAY);
      List<Object> elements = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(element.read(parser));
      }
      return new GenericArrayData(elements.toArray());
    };
  }

  /** A key given twice keeps its last value: Spark's maps hold a key once. */
  private JsonValue map(JsonValue value) {
    return parser -> {
      expect(parser, JsonToken.START_OBJECT);
      Map<Object, Object> entries = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        UTF8String key = UTF8String.fromString(parser.currentName());
        parser.nextToken();
        entries.put(key, value.read(parser));
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
    return parser -> {
      Object[] cells = new Object[fields.size()];
      reader.read(parser, cells);
      return new GenericInternalRow(cells);
    };
  }

  private static boolean isNumber(JsonParser parser) {
    return parser.currentToken().isNumeric();
  }

  private static String scalar(JsonParser parser) throws IOException {
    if (parser.currentToken().isStructStart()) {
      throw new IllegalArgumentException("a structure is no scalar");
    }
    return parser.getText();
  }

  static void expect(JsonParser parser, JsonToken wanted) {
    if (parser.currentToken() != wanted) {
      throw new IllegalArgumentException("expected " + wanted);
    }
  }
}
