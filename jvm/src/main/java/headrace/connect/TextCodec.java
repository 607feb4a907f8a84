package headrace.connect;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Values as texts: as headers are written, and as the string converter writes them. */
public final class TextCodec implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String schema;
  private transient volatile ConnectType type;

  /** Without a schema where it is null. */
  TextCodec(String schema) {
    this.schema = schema;
  }

  /** As the simple header converter writes the one field of a row. */
  public UTF8String header(InternalRow row) {
    Object value = value(row);
    if (value == null) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    append(text, type(), value, false);
    return UTF8String.fromString(text.toString());
  }

  /** As Java writes Connect's object for the one field of a row. */
  public UTF8String plain(InternalRow row) {
    Object value = value(row);
    return value == null ? null : UTF8String.fromString(plain(type(), value));
  }

  private Object value(InternalRow row) {
    if (row.isNullAt(0)) {
      return null;
    }
    return schema == null ? JsonTree.ofText(row.getUTF8String(0)) : type().toConnect(row.get(0, type().spark()));
  }

  private static void append(StringBuilder out, ConnectType type, Object value, boolean embedded) {
    if (value instanceof String || value instanceof byte[]) {
      String text = value instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : (String) value;
      out.append(embedded ? quoted(text) : text);
    } else if (value instanceof List<?> list) {
      out.append('[');
      appendAll(out, list.iterator(), type == null ? null : type.values);
      out.append(']');
    } else if (value instanceof Map<?, ?> map) {
      appendMap(out, type, map);
    } else if (value instanceof Object[] struct) {
      appendStruct(out, type, struct);
    } else {
      out.append(value instanceof Date date ? TimeText.iso(date) : String.valueOf(value));
    }
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static void appendAll(StringBuilder out, Iterator<?> elements, ConnectType type) {
    while (elements.hasNext()) {
      append(out, type, elements.next(), true);
      out.append(elements.hasNext() ? "," : "");
    }
  }

  private static void appendMap(StringBuilder out, ConnectType type, Map<?, ?> map) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      append(out, type == null ? null : type.keys, entry.getKey(), true);
      out.append(':');
      append(out, type == null ? null : type.values, entry.getValue(), true);
      separator = ",";
    }
    out.append(map.isEmpty() ? "{}" : "}");
  }

  private static void appendStruct(StringBuilder out, ConnectType type, Object[] struct) {
    out.append('{');
    for (int i = 0; i < struct.length; i++) {
      out.append(i == 0 ? "" : ",").append(quoted(type.fields.get(i).name())).append(':');
      append(out, type.fields.get(i).type(), struct[i], true);
    }
    out.append('}');
  }

  private static String plain(ConnectType type, Object value) {
    if (value instanceof Object[] struct) {
      return struct(type, struct);
    }
    if (type != null && value instanceof List<?> list) {
      return list.stream().map(element -> plain(type.values, element)).toList().toString();
    }
    if (type != null && value instanceof Map<?, ?> map) {
      Map<String, String> texts = new LinkedHashMap<>();
      map.forEach((key, content) -> texts.put(plain(type.keys, key), plain(type.values, content)));
      return texts.toString();
    }
    // An array of bytes has no text of its own in Java; its buffer at least names the length.
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes).toString() : Objects.toString(value);
  }

  private static String struct(ConnectType type, Object[] struct) {
    StringBuilder out = new StringBuilder("Struct{");
    for (int i = 0; i < struct.length; i++) {
      if (struct[i] != null) {
        out.append(out.length() > "Struct{".length() ? "," : "").append(type.fields.get(i).name()).append('=');
        out.append(plain(type.fields.get(i).type(), struct[i]));
      }
    }
    return out.append('}').toString();
  }

  private ConnectType type() {
    if (type == null && schema != null) {
      type = ConnectType.parse(schema);
    }
    return type;
  }

  @Override
  public String toString() {
    return "ConnectText";
  }
}
