package headrace.connect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Values with a schema as the JSON converter reads and writes them. */
final class JsonForm {
  private final boolean numericDecimals;
  private final boolean defaultsForNulls;

  JsonForm(boolean numericDecimals, boolean defaultsForNulls) {
    this.numericDecimals = numericDecimals;
    this.defaultsForNulls = defaultsForNulls;
  }

  void write(ConnectType type, Object value, JsonGenerator out) throws IOException {
    if (value != null) {
      writePresent(type, value, out);
    } else if (type.fallback != null && !type.fallback.isNull() && defaultsForNulls) {
      out.writeTree(type.fallback);
    } else if (type.optional) {
      out.writeNull();
    } else {
      throw new DataFault("Conversion error: null value for field that is required and has no default value");
    }
  }

  private void writePresent(ConnectType type, Object value, JsonGenerator out) throws IOException {
    switch (type.logical) {
      case ConnectType.DECIMAL -> writeDecimal((BigDecimal) value, out);
      case ConnectType.DATE -> out.writeNumber((int) Math.floorDiv(((Date) value).getTime(), ConnectType.MILLIS_PER_DAY));
      case ConnectType.TIME -> out.writeNumber(timeOfDay(((Date) value).getTime()));
      case ConnectType.TIMESTAMP -> out.writeNumber(((Date) value).getTime());
      default -> writePlain(type, value, out);
    }
  }

  private static int timeOfDay(long millis) {
    if (millis < 0 || millis > ConnectType.MILLIS_PER_DAY) {
      throw new DataFault("Time values must use number of milliseconds greater than 0 and less than "
          + ConnectType.MILLIS_PER_DAY);
    }
    return (int) millis;
  }

  private void writeDecimal(BigDecimal value, JsonGenerator out) throws IOException {
    if (numericDecimals) {
      out.writeNumber(value);
    } else {
      out.writeBinary(value.unscaledValue().toByteArray());
    }
  }

  private void writePlain(ConnectType type, Object value, JsonGenerator out) throws IOException {
    switch (type.type) {
      case "boolean" -> out.writeBoolean((Boolean) value);
      case "int8" -> out.writeNumber((Byte) value);
      case "int16" -> out.writeNumber((Short) value);
      case "int32" -> out.writeNumber((Integer) value);
      case "int64" -> out.writeNumber((Long) value);
      case "float" -> out.writeNumber((Float) value);
      case "double" -> out.writeNumber((Double) value);
      case "bytes" -> out.writeBinary((byte[]) value);
      case "string" -> out.writeString((String) value);
      case "array" -> writeArray(type, (List<?>) value, out);
      case "map" -> writeMap(type, (Map<?, ?>) value, out);
      default -> writeStruct(type, (Object[]) value, out);
    }
  }

  private void writeArray(ConnectType type, List<?> list, JsonGenerator out) throws IOException {
    out.writeStartArray();
    for (Object element : list) {
      write(type.values, element, out);
    }
    out.writeEndArray();
  }

  /** An object where the keys are strings, else pairs of key and value. */
  private void writeMap(ConnectType type, Map<?, ?> map, JsonGenerator out) throws IOException {
    boolean object = type.keys.type.equals("string");
    if (object) {
      out.writeStartObject();
    } else {
      out.writeStartArray();
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (object) {
        out.writeFieldName((String) entry.getKey());
        write(type.values, entry.getValue(), out);
      } else {
        out.writeStartArray();
        write(type.keys, entry.getKey(), out);
        write(type.values, entry.getValue(), out);
        out.writeEndArray();
      }
    }
    if (object) {
      out.writeEndObject();
    } else {
      out.writeEndArray();
    }
  }

  private void writeStruct(ConnectType type, Object[] struct, JsonGenerator out) throws IOException {
    out.writeStartObject();
    for (int i = 0; i < struct.length; i++) {
      out.writeFieldName(type.fields.get(i).name());
      write(type.fields.get(i).type(), struct[i], out);
    }
    out.writeEndObject();
  }

  Object read(ConnectType type, JsonNode node) {
    if (node == null || node.isNull()) {
      return readNull(type);
    }
    return switch (type.logical) {
      case ConnectType.DECIMAL -> readDecimal(type, node);
      case ConnectType.DATE -> new Date(wholeNumber("Date", node.isInt(), node, "integer") * ConnectType.MILLIS_PER_DAY);
      case ConnectType.TIME -> new Date(wholeNumber("Time", node.isInt(), node, "integer"));
      case ConnectType.TIMESTAMP -> new Date(wholeNumber("Timestamp", node.isIntegralNumber(), node, "integral"));
      default -> readPlain(type, node);
    };
  }

  private Object readNull(ConnectType type) {
    if (type.fallback != null && !type.fallback.isNull() && defaultsForNulls) {
      return read(type, type.fallback);
    }
    if (type.optional) {
      return null;
    }
    throw new DataFault("Invalid null value for required " + typeName(type) + " field");
  }

  private static long wholeNumber(String kind, boolean fits, JsonNode node, String expected) {
    if (!fits) {
      throw new DataFault("Invalid type for " + kind + ", underlying representation should be " + expected
          + " but was " + node.getNodeType());
    }
    return node.longValue();
  }

  private static BigDecimal readDecimal(ConnectType type, JsonNode node) {
    if (node.isNumber()) {
      return node.decimalValue();
    }
    if (!node.isBinary() && !node.isTextual()) {
      throw new DataFault("Invalid type for Decimal, underlying representation should be numeric or bytes but was "
          + node.getNodeType());
    }
    try {
      return new BigDecimal(new BigInteger(node.binaryValue()), type.checkedScale());
    } catch (JsonProcessingException malformed) {
      throw DataFault.causedBy("Invalid bytes for Decimal field", cause(malformed));
    } catch (IOException | NumberFormatException malformed) {
      throw DataFault.causedBy("Invalid bytes for Decimal field", malformed.toString());
    }
  }

  private Object readPlain(ConnectType type, JsonNode node) {
    return switch (type.type) {
      case "boolean" -> node.booleanValue();
      case "int8" -> (byte) node.intValue();
      case "int16" -> (short) node.intValue();
      case "int32" -> node.intValue();
      case "int64" -> node.longValue();
      case "float" -> node.floatValue();
      case "double" -> node.doubleValue();
      case "bytes" -> readBytes(node);
      case "string" -> node.textValue();
      case "array" -> readArray(type, node);
      case "map" -> readMap(type, node);
      default -> readStruct(type, node);
    };
  }

  private static byte[] readBytes(JsonNode node) {
    try {
      return node.binaryValue();
    } catch (JsonProcessingException malformed) {
      throw DataFault.causedBy("Invalid bytes field", cause(malformed));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String cause(JsonProcessingException malformed) {
    return malformed.getClass().getName() + ": " + malformed.getOriginalMessage();
  }

  private List<Object> readArray(ConnectType type, JsonNode node) {
    List<Object> result = new ArrayList<>();
    node.forEach(element -> result.add(read(type.values, element)));
    return result;
  }

  private Map<Object, Object> readMap(ConnectType type, JsonNode node) {
    Map<Object, Object> result = new HashMap<>();
    if (type.keys.type.equals("string")) {
      if (!node.isObject()) {
        throw new DataFault("Maps with string fields should be encoded as JSON objects, but found " + node.getNodeType());
      }
      node.properties().forEach(entry -> result.put(entry.getKey(), read(type.values, entry.getValue())));
      return result;
    }
    if (!node.isArray()) {
      throw new DataFault("Maps with non-string fields should be encoded as JSON array of tuples, but found "
          + node.getNodeType());
    }
    node.forEach(entry -> readPair(type, entry, result));
    return result;
  }

  private void readPair(ConnectType type, JsonNode entry, Map<Object, Object> result) {
    if (!entry.isArray()) {
      throw new DataFault("Found invalid map entry instead of array tuple: " + entry.getNodeType());
    }
    if (entry.size() != 2) {
      throw new DataFault("Found invalid map entry, expected length 2 but found :" + entry.size());
    }
    result.put(read(type.keys, entry.get(0)), read(type.values, entry.get(1)));
  }

  private Object[] readStruct(ConnectType type, JsonNode node) {
    if (!node.isObject()) {
      throw new DataFault("Structs should be encoded as JSON objects, but found " + node.getNodeType());
    }
    Object[] struct = new Object[type.fields.size()];
    for (int i = 0; i < struct.length; i++) {
      struct[i] = read(type.fields.get(i).type(), node.get(type.fields.get(i).name()));
    }
    return struct;
  }

  /** As Connect's messages spell types. */
  static String typeName(ConnectType type) {
    return switch (type.type) {
      case "float" -> "FLOAT32";
      case "double" -> "FLOAT64";
      default -> type.type.toUpperCase(Locale.ROOT);
    };
  }
}
