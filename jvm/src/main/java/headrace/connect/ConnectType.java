package headrace.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A schema of Connect, read from the JSON that its JSON converter writes, with the way from Spark's internal values to
 * Connect's objects and back. A struct is an array of its fields' values.
 */
public final class ConnectType {
  public static final String DECIMAL = "org.apache.kafka.connect.data.Decimal";
  public static final String DATE = "org.apache.kafka.connect.data.Date";
  public static final String TIME = "org.apache.kafka.connect.data.Time";
  public static final String TIMESTAMP = "org.apache.kafka.connect.data.Timestamp";
  static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long MICROS_PER_MILLI = 1000L;
  /** Connect's decimals have a scale and no precision; Spark's end at 38 digits. */
  private static final int DIGITS = 38;

  public record Field(String name, ConnectType type) {}

  public final String type;
  public final String logical;
  public final boolean optional;
  final JsonNode fallback;
  public final List<Field> fields;
  public final ConnectType keys;
  public final ConnectType values;
  public final int scale;
  private final boolean parameters;
  private final String scaleText;
  private DataType spark;

  private ConnectType(JsonNode schema) {
    type = schema.path("type").asText();
    optional = schema.path("optional").asBoolean();
    logical = schema.path("name").asText("");
    fallback = schema.get("default");
    fields = new ArrayList<>();
    schema.path("fields").forEach(field ->
        fields.add(new Field(field.path("field").asText(), new ConnectType(field))));
    keys = schema.has("keys") ? new ConnectType(schema.get("keys")) : null;
    JsonNode inner = schema.has("items") ? schema.get("items") : schema.get("values");
    values = inner == null ? null : new ConnectType(inner);
    parameters = schema.has("parameters");
    scaleText = schema.path("parameters").path("scale").asText(null);
    scale = schema.path("parameters").path("scale").asInt();
  }

  public static ConnectType parse(String schema) {
    try {
      return new ConnectType(new ObjectMapper().readTree(schema));
    } catch (IOException malformed) {
      throw new IllegalArgumentException("malformed schema", malformed);
    }
  }

  /** Made once: it is asked for with every value. */
  public DataType spark() {
    if (spark == null) {
      spark = made();
    }
    return spark;
  }

  private DataType made() {
    switch (logical) {
      case DECIMAL: return DataTypes.createDecimalType(DIGITS, places());
      case DATE: return DataTypes.DateType;
      case TIMESTAMP: return DataTypes.TimestampType;
      default: break;
    }
    return switch (type) {
      case "boolean" -> DataTypes.BooleanType;
      case "int8" -> DataTypes.ByteType;
      case "int16" -> DataTypes.ShortType;
      case "int32" -> DataTypes.IntegerType;
      case "int64" -> DataTypes.LongType;
      case "float" -> DataTypes.FloatType;
      case "double" -> DataTypes.DoubleType;
      case "bytes" -> DataTypes.BinaryType;
      case "string" -> DataTypes.StringType;
      case "array" -> DataTypes.createArrayType(values.spark());
      case "map" -> DataTypes.createMapType(keys.spark(), values.spark());
      default -> struct();
    };
  }

  private StructType struct() {
    StructType struct = new StructType();
    for (Field field : fields) {
      struct = struct.add(field.name(), field.type().spark());
    }
    return struct;
  }

  /** The scale of decimals, which a schema from elsewhere may lack. */
  int checkedScale() {
    String wrapping = "Invalid bytes for Decimal field";
    if (!parameters) {
      throw DataFault.causedBy(wrapping, "java.lang.NullPointerException: Cannot invoke \"java.util.Map.get(Object)\""
          + " because the return value of \"org.apache.kafka.connect.data.Schema.parameters()\" is null");
    }
    if (scaleText == null) {
      throw DataFault.causedBy(wrapping, DataFault.DATA + ": Invalid Decimal schema: scale parameter not found.");
    }
    if (!scaleText.matches("[+-]?\\d+")) {
      throw DataFault.causedBy(wrapping, DataFault.DATA + ": Invalid scale parameter found in Decimal schema: ");
    }
    return scale;
  }

  /** Connect's object for an internal value of Spark. */
  Object toConnect(Object value) {
    if (value == null) {
      return null;
    }
    switch (logical) {
      case DECIMAL: return ((Decimal) value).toJavaBigDecimal().setScale(scale);
      case DATE: return new Date((Integer) value * MILLIS_PER_DAY);
      case TIME: return new Date((Integer) value);
      case TIMESTAMP: return new Date(Math.floorDiv((Long) value, MICROS_PER_MILLI));
      default: break;
    }
    return switch (type) {
      case "string" -> value.toString();
      case "array" -> list((ArrayData) value, values);
      case "map" -> map((MapData) value);
      case "struct" -> structOf((InternalRow) value);
      default -> value;
    };
  }

  private static List<Object> list(ArrayData array, ConnectType element) {
    List<Object> result = new ArrayList<>(array.numElements());
    DataType spark = element.spark();
    for (int i = 0; i < array.numElements(); i++) {
      result.add(array.isNullAt(i) ? null : element.toConnect(array.get(i, spark)));
    }
    return result;
  }

  private Map<Object, Object> map(MapData data) {
    List<Object> names = list(data.keyArray(), keys);
    List<Object> contents = list(data.valueArray(), values);
    Map<Object, Object> result = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      result.put(names.get(i), contents.get(i));
    }
    return result;
  }

  private Object[] structOf(InternalRow row) {
    Object[] result = new Object[fields.size()];
    for (int i = 0; i < result.length; i++) {
      ConnectType inner = fields.get(i).type();
      result[i] = row.isNullAt(i) ? null : inner.toConnect(row.get(i, inner.spark()));
    }
    return result;
  }

  /** Spark's internal value for an object of Connect. */
  Object toSpark(Object value) {
    if (value == null) {
      return null;
    }
    switch (logical) {
      case DECIMAL: return decimal((BigDecimal) value);
      case DATE: return (int) Math.floorDiv(((Date) value).getTime(), MILLIS_PER_DAY);
      case TIME: return (int) ((Date) value).getTime();
      case TIMESTAMP: return micros(((Date) value).getTime());
      default: break;
    }
    return switch (type) {
      case "string" -> UTF8String.fromString((String) value);
      case "array" -> array((List<?>) value, values);
      case "map" -> sparkMap((Map<?, ?>) value);
      case "struct" -> row((Object[]) value);
      default -> value;
    };
  }

  static long micros(long millis) {
    if (millis > Long.MAX_VALUE / MICROS_PER_MILLI || millis < Long.MIN_VALUE / MICROS_PER_MILLI) {
      throw new DataFault("Timestamps whose microseconds need more than 64 bits are not read: " + millis);
    }
    return millis * MICROS_PER_MILLI;
  }

  private Decimal decimal(BigDecimal value) {
    if (value.signum() != 0 && value.stripTrailingZeros().scale() > scale) {
      throw new DataFault("Decimal value has mismatching scale for given Decimal schema. Schema has scale " + scale
          + ", value has scale " + value.scale() + ".");
    }
    if (value.precision() - value.scale() > DIGITS - places()) {
      throw new DataFault("Decimals of more than " + DIGITS + " digits are not read");
    }
    return Decimal.apply(value.setScale(places()), ((DecimalType) spark()).precision(), places());
  }

  /** Spark has no scales below zero, and needs none: whole hundreds are whole numbers. */
  private int places() {
    return Math.max(scale, 0);
  }

  private static GenericArrayData array(List<?> list, ConnectType element) {
    return new GenericArrayData(list.stream().map(element::toSpark).toArray());
  }

  private ArrayBasedMapData sparkMap(Map<?, ?> map) {
    return new ArrayBasedMapData(
        array(new ArrayList<>(map.keySet()), keys), array(new ArrayList<>(map.values()), values));
  }

  private GenericInternalRow row(Object[] struct) {
    Object[] cells = new Object[struct.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = fields.get(i).type().toSpark(struct[i]);
    }
    return new GenericInternalRow(cells);
  }
}
