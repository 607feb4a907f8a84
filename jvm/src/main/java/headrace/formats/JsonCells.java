package headrace.formats;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;

/** The writers of JSON values by SQL type, printing each as Flink's JSON format does. */
final class JsonCells {
  private final boolean ignoreNullFields;
  private final boolean plainDecimals;
  private final String nullKeyMode;
  private final String nullKeyLiteral;
  private final TimeText times;

  JsonCells(FormatSpec format) {
    ignoreNullFields = format.flag("encode.ignore-null-fields");
    plainDecimals = format.flag("encode.decimal-as-plain-number");
    nullKeyMode = format.text("map-null-key.mode");
    nullKeyLiteral = format.text("map-null-key.literal");
    times = TimeText.ofStandard(format.text("timestamp-format.standard"));
  }

  JsonCell of(FieldType type) {
    return switch (type.kind) {
      case "NULL" -> (json, source, i) -> json.writeNull();
      case "BOOLEAN" -> (json, source, i) -> json.writeBoolean(source.getBoolean(i));
      case "TINYINT" -> (json, source, i) -> json.writeNumber(source.getByte(i));
      case "SMALLINT" -> (json, source, i) -> json.writeNumber(source.getShort(i));
      case "INT", "INTERVAL YEAR TO MONTH" -> (json, source, i) -> json.writeNumber(source.getInt(i));
      case "BIGINT" -> (json, source, i) -> json.writeNumber(source.getLong(i));
      case "INTERVAL DAY TO SECOND" -> (json, source, i) -> json.writeNumber(source.getLong(i) / 1_000L);
      case "FLOAT" -> (json, source, i) -> json.writeNumber(source.getFloat(i));
      case "DOUBLE" -> (json, source, i) -> json.writeNumber(source.getDouble(i));
      case "DECIMAL" -> (json, source, i) ->
          json.writeNumber(shown(source.getDecimal(i, type.precision, type.scale).toJavaBigDecimal()));
      case "CHAR", "VARCHAR", "STRING" -> (json, source, i) -> writeText(json, source.getUTF8String(i));
      case "BINARY", "VARBINARY", "BYTES" -> (json, source, i) -> json.writeBinary(source.getBinary(i));
      case "DATE" -> (json, source, i) -> json.writeString(LocalDate.ofEpochDay(source.getInt(i)).toString());
      case "TIME" -> (json, source, i) -> json.writeString(TimeText.formatTime(source.getLong(i)));
      case "TIMESTAMP" -> (json, source, i) -> json.writeString(times.formatTimestamp(source.getLong(i)));
      case "TIMESTAMP_LTZ" -> (json, source, i) -> json.writeString(times.formatInstant(source.getLong(i)));
      case "ARRAY" -> array(type.children.get(0));
      case "MAP" -> map(type.children.get(1));
      case "MULTISET" -> map(FieldType.integer());
      case "ROW" -> row(type.names, type.children);
      default -> throw new IllegalArgumentException("JSON has no form for " + type);
    };
  }

  JsonCell row(List<String> names, List<FieldType> types) {
    int arity = names.size();
    JsonCell fields = fields(names, types);
    return (json, source, i) -> fields.write(json, source.getStruct(i, arity), 0);
  }

  /** An object of all the source's own fields; the position is not looked at. */
  JsonCell fields(List<String> names, List<FieldType> types) {
    JsonCell[] cells = types.stream().map(this::of).toArray(JsonCell[]::new);
    // Names keep their quoted and escaped form, which is the same in every record.
    SerializedString[] keys = names.stream().map(SerializedString::new).toArray(SerializedString[]::new);
    return (json, source, ignored) -> {
      json.writeStartObject();
      for (int i = 0; i < cells.length; i++) {
        boolean isNull = source.isNullAt(i);
        if (isNull && ignoreNullFields) {
          continue;
        }
        writeName(json, keys[i]);
        write(cells[i], json, source, i, names.get(i));
      }
      json.writeEndObject();
    };
  }

  /** Flink's numbers lose the zeros at their end, also those before the point: 100.00 is 1E+2. */
  private BigDecimal shown(BigDecimal number) {
    return plainDecimals ? number : number.stripTrailingZeros();
  }

  /** Characters beyond U+FFFF are escaped as two, which the generator does for strings of Java's alone. */
  private static void writeText(JsonGenerator json, UTF8String text) throws IOException {
    byte[] bytes = text.getBytes();
    if (text.isValid() && !hasLongCharacter(bytes)) {
      json.writeUTF8String(bytes, 0, bytes.length);
    } else {
      json.writeString(text.toString());
    }
  }

  private static void writeName(JsonGenerator json, SerializedString name) throws IOException {
    if (hasLongCharacter(name.asUnquotedUTF8())) {
      json.writeFieldName(name.getValue());
    } else {
      json.writeFieldName(name);
    }
  }

  private static boolean hasLongCharacter(byte[] utf8) {
    for (byte each : utf8) {
      // The first of four bytes; as numbers with a sign only these lie between.
      if (each >= (byte) 0xF0 && each < 0) {
        return true;
      }
    }
    return false;
  }

  private JsonCell array(FieldType element) {
    JsonCell cell = of(element);
    return (json, source, i) -> {
      ArrayData elements = source.getArray(i);
      json.writeStartArray();
      for (int k = 0; k < elements.numElements(); k++) {
        nullable(cell, json, elements, k);
      }
      json.writeEndArray();
    };
  }

  private JsonCell map(FieldType value) {
    JsonCell cell = of(value);
    return (json, source, i) -> {
      MapData map = source.getMap(i);
      json.writeStartObject();
      for (int k = 0; k < map.numElements(); k++) {
        String key = key(map.keyArray(), k);
        if (key != null) {
          json.writeFieldName(key);
          nullable(cell, json, map.valueArray(), k);
        }
      }
      json.writeEndObject();
    };
  }

  /** The key's text; null for an entry to leave out. */
  private String key(ArrayData keys, int position) {
    if (!keys.isNullAt(position)) {
      return keys.getUTF8String(position).toString();
    }
    return switch (nullKeyMode) {
      case "DROP" -> null;
      case "LITERAL" -> nullKeyLiteral;
      default -> throw new FieldException("a map key is null and 'map-null-key.mode' is FAIL");
    };
  }

  private static void write(JsonCell cell, JsonGenerator json, SpecializedGetters source, int i, String name)
      throws IOException {
    try {
      nullable(cell, json, source, i);
    } catch (FieldException failure) {
      throw failure.inside(name);
    }
  }

  private static void nullable(JsonCell cell, JsonGenerator json, SpecializedGetters source, int i)
      throws IOException {
    if (source.isNullAt(i)) {
      json.writeNull();
    } else {
      cell.write(json, source, i);
    }
  }
}
