package headrace.lake;

import headrace.connect.ConnectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/**
 * Rows of a schema of Connect as Parquet. What is required, and the logical types, are those of the schema, with times in
 * milliseconds, as they would be by way of Avro; lists have three levels, which every reader understands.
 */
final class ParquetRows extends WriteSupport<InternalRow> {
  /** Connect's decimals have no precision; readers end at 38 digits. */
  private static final int DIGITS = 38;

  private static final long MICROS_PER_MILLI = 1000L;

  /** Writes one value that is not null. */
  private interface Cell {
    void write(SpecializedGetters from, int place);
  }

  /** What Connect calls structs without a name in Avro, by whose names it writes Parquet. */
  private static final String UNNAMED = "io.confluent.connect.avro.ConnectDefault";

  private final MessageType schema;
  private final List<String> names = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();
  private RecordConsumer out;

  ParquetRows(ConnectType type) {
    Types.MessageTypeBuilder message = Types.buildMessage();
    for (ConnectType.Field field : type.fields) {
      message.addField(described(field.name(), field.type()));
      names.add(field.name());
      cells.add(cell(field.type()));
    }
    schema = message.named(type.logical.isEmpty() ? UNNAMED : type.logical);
  }

  private static Type described(String name, ConnectType type) {
    Repetition repetition = type.optional ? Repetition.OPTIONAL : Repetition.REQUIRED;
    switch (type.logical) {
      case ConnectType.DECIMAL:
        return Types.primitive(PrimitiveTypeName.BINARY, repetition)
            .as(LogicalTypeAnnotation.decimalType(type.scale, DIGITS)).named(name);
      case ConnectType.DATE:
        return Types.primitive(PrimitiveTypeName.INT32, repetition).as(LogicalTypeAnnotation.dateType()).named(name);
      case ConnectType.TIME:
        return Types.primitive(PrimitiveTypeName.INT32, repetition)
            .as(LogicalTypeAnnotation.timeType(true, TimeUnit.MILLIS)).named(name);
      case ConnectType.TIMESTAMP:
        return Types.primitive(PrimitiveTypeName.INT64, repetition)
            .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS)).named(name);
      default:
        return plain(name, type, repetition);
    }
  }

  private static Type plain(String name, ConnectType type, Repetition repetition) {
    return switch (type.type) {
      case "boolean" -> Types.primitive(PrimitiveTypeName.BOOLEAN, repetition).named(name);
      case "int8", "int16", "int32" -> Types.primitive(PrimitiveTypeName.INT32, repetition).named(name);
      case "int64" -> Types.primitive(PrimitiveTypeName.INT64, repetition).named(name);
      case "float" -> Types.primitive(PrimitiveTypeName.FLOAT, repetition).named(name);
      case "double" -> Types.primitive(PrimitiveTypeName.DOUBLE, repetition).named(name);
      case "bytes" -> Types.primitive(PrimitiveTypeName.BINARY, repetition).named(name);
      case "string" -> Types.primitive(PrimitiveTypeName.BINARY, repetition)
          .as(LogicalTypeAnnotation.stringType()).named(name);
      case "array" -> Types.list(repetition).element(described("element", type.values)).named(name);
      case "map" -> Types.map(repetition).key(described("key", type.keys))
          .value(described("value", type.values)).named(name);
      default -> {
        Types.GroupBuilder<org.apache.parquet.schema.GroupType> group = Types.buildGroup(repetition);
        type.fields.forEach(field -> group.addField(described(field.name(), field.type())));
        yield group.named(name);
      }
    };
  }


  private Cell cell(ConnectType type) {
    switch (type.logical) {
      case ConnectType.DECIMAL:
        return (from, place) -> out.addBinary(Binary.fromConstantByteArray(
            from.getDecimal(place, DIGITS, type.scale).toJavaBigDecimal().unscaledValue().toByteArray()));
      case ConnectType.TIMESTAMP:
        return (from, place) -> out.addLong(Math.floorDiv(from.getLong(place), MICROS_PER_MILLI));
      default:
        break;
    }
    return switch (type.type) {
      case "boolean" -> (from, place) -> out.addBoolean(from.getBoolean(place));
      case "int8" -> (from, place) -> out.addInteger(from.getByte(place));
      case "int16" -> (from, place) -> out.addInteger(from.getShort(place));
      case "int32" -> (from, place) -> out.addInteger(from.getInt(place));
      case "int64" -> (from, place) -> out.addLong(from.getLong(place));
      case "float" -> (from, place) -> out.addFloat(from.getFloat(place));
      case "double" -> (from, place) -> out.addDouble(from.getDouble(place));
      case "bytes" -> (from, place) -> out.addBinary(Binary.fromReusedByteArray(from.getBinary(place)));
      case "string" -> (from, place) -> out.addBinary(Binary.fromReusedByteArray(from.getUTF8String(place).getBytes()));
      case "array" -> array(type);
      case "map" -> map(type);
      default -> struct(type);
    };
  }

  private Cell array(ConnectType type) {
    Cell element = cell(type.values);
    return (from, place) -> {
      ArrayData list = from.getArray(place);
      out.startGroup();
      if (list.numElements() > 0) {
        out.startField("list", 0);
        for (int i = 0; i < list.numElements(); i++) {
          out.startGroup();
          field("element", 0, element, list, i);
          out.endGroup();
        }
        out.endField("list", 0);
      }
      out.endGroup();
    };
  }

  private Cell map(ConnectType type) {
    Cell key = cell(type.keys);
    Cell value = cell(type.values);
    return (from, place) -> {
      MapData map = from.getMap(place);
      out.startGroup();
      if (map.numElements() > 0) {
        out.startField("key_value", 0);
        for (int i = 0; i < map.numElements(); i++) {
          out.startGroup();
          field("key", 0, key, map.keyArray(), i);
          field("value", 1, value, map.valueArray(), i);
          out.endGroup();
        }
        out.endField("key_value", 0);
      }
      out.endGroup();
    };
  }

  private Cell struct(ConnectType type) {
    List<Cell> inner = type.fields.stream().map(field -> cell(field.type())).toList();
    return (from, place) -> {
      InternalRow struct = from.getStruct(place, inner.size());
      out.startGroup();
      for (int i = 0; i < inner.size(); i++) {
        field(type.fields.get(i).name(), i, inner.get(i), struct, i);
      }
      out.endGroup();
    };
  }

  private void field(String name, int index, Cell cell, SpecializedGetters from, int place) {
    if (!from.isNullAt(place)) {
      out.startField(name, index);
      cell.write(from, place);
      out.endField(name, index);
    }
  }

  /** Deprecated, and abstract all the same. */
  @Override
  @SuppressWarnings("deprecation")
  public WriteContext init(Configuration configuration) {
    return new WriteContext(schema, Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    out = consumer;
  }

  @Override
  public void write(InternalRow row) {
    out.startMessage();
    for (int i = 0; i < cells.size(); i++) {
      field(names.get(i), i, cells.get(i), row, i);
    }
    out.endMessage();
  }
}
