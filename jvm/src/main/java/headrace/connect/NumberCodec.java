package headrace.connect;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The converters of numbers and truth values: their bytes as Java's buffers order them. */
public final class NumberCodec implements Serializable {
  private static final long serialVersionUID = 1L;

  private record Kind(Class<?> holder, DataType spark, int size) {}

  private static final Map<String, Kind> KINDS = Map.of(
      "short", new Kind(Short.class, DataTypes.ShortType, Short.BYTES),
      "integer", new Kind(Integer.class, DataTypes.IntegerType, Integer.BYTES),
      "long", new Kind(Long.class, DataTypes.LongType, Long.BYTES),
      "float", new Kind(Float.class, DataTypes.FloatType, Float.BYTES),
      "double", new Kind(Double.class, DataTypes.DoubleType, Double.BYTES),
      "boolean", new Kind(Boolean.class, DataTypes.BooleanType, 1));

  private final String kind;
  private final String schema;
  private transient volatile ConnectType type;

  NumberCodec(String kind, String schema) {
    this.kind = kind;
    this.schema = schema;
  }

  DataType decodedType() {
    return KINDS.get(kind).spark();
  }

  public InternalRow encode(InternalRow row) {
    return Outcome.of(() -> row.isNullAt(0) ? null : bytes(value(row)));
  }

  private Object value(InternalRow row) {
    if (schema == null) {
      return JsonTree.ofText(row.getUTF8String(0));
    }
    if (type == null) {
      type = ConnectType.parse(schema);
    }
    return type.toConnect(row.get(0, type.spark()));
  }

  private byte[] bytes(Object value) {
    Kind wanted = KINDS.get(kind);
    if (!wanted.holder().isInstance(value)) {
      // Kafka's own writers take any number first, and only then theirs.
      Class<?> expected = value instanceof Number ? wanted.holder() : Number.class;
      throw unwritable(Conversions.className(value), expected.getName());
    }
    ByteBuffer out = ByteBuffer.allocate(wanted.size());
    switch (kind) {
      case "short" -> out.putShort((Short) value);
      case "integer" -> out.putInt((Integer) value);
      case "long" -> out.putLong((Long) value);
      case "float" -> out.putFloat((Float) value);
      case "double" -> out.putDouble((Double) value);
      default -> out.put((byte) ((Boolean) value ? 1 : 0));
    }
    return out.array();
  }

  private DataFault unwritable(String found, String wanted) {
    if (kind.equals("boolean")) {
      return new DataFault("BooleanConverter is not compatible with objects of type class " + found);
    }
    String places = found.startsWith("org.")
        ? found + " is in unnamed module of loader 'app'; " + wanted + " is in module java.base of loader 'bootstrap'"
        : found + " and " + wanted + " are in module java.base of loader 'bootstrap'";
    return DataFault.causedBy("Failed to serialize to " + kind + " (was class " + found + "): ",
        "java.lang.ClassCastException: class " + found + " cannot be cast to class " + wanted + " (" + places + ")");
  }

  public InternalRow decode(byte[] bytes) {
    return Outcome.of(() -> {
      if (bytes == null) {
        return null;
      }
      if (bytes.length != KINDS.get(kind).size()) {
        throw unread("Size of data received by " + reader() + " is not " + KINDS.get(kind).size());
      }
      return number(ByteBuffer.wrap(bytes));
    });
  }

  private Object number(ByteBuffer in) {
    return switch (kind) {
      case "short" -> (Object) in.getShort();
      case "integer" -> (Object) in.getInt();
      case "long" -> (Object) in.getLong();
      case "float" -> (Object) in.getFloat();
      case "double" -> (Object) in.getDouble();
      default -> (Object) truth(in.get());
    };
  }

  private boolean truth(byte value) {
    if (value != 0 && value != 1) {
      throw unread("Unexpected byte received by BooleanDeserializer: " + value);
    }
    return value == 1;
  }

  private DataFault unread(String reason) {
    return DataFault.causedBy("Failed to deserialize " + kind + ": ",
        "org.apache.kafka.common.errors.SerializationException: " + reason);
  }

  /** Kafka's own readers of fractions do not say their names in full. */
  private String reader() {
    return switch (kind) {
      case "float", "double" -> "Deserializer";
      default -> kind.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + kind.substring(1) + "Deserializer";
    };
  }

  @Override
  public String toString() {
    return "ConnectNumber(" + kind + ")";
  }
}
