package headrace.formats;

import java.io.IOException;
import java.util.List;
import org.apache.avro.io.Encoder;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/** The writers of Avro values by SQL type, for the schema Flink derives from a table. */
final class AvroCells {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final int NULL_BRANCH = 0;
  private static final int VALUE_BRANCH = 1;

  private AvroCells() {}

  static AvroCell of(FieldType type) {
    AvroCell cell = notNull(type);
    if (type.kind.equals("NULL")) {
      return cell;
    }
    return type.nullable ? nullable(cell) : required(cell, type);
  }

  private static AvroCell nullable(AvroCell cell) {
    return (avro, source, i) -> {
      boolean isNull = source.isNullAt(i);
      avro.writeIndex(isNull ? NULL_BRANCH : VALUE_BRANCH);
      if (isNull) {
        avro.writeNull();
      } else {
        cell.write(avro, source, i);
      }
    };
  }

  private static AvroCell required(AvroCell cell, FieldType type) {
    return (avro, source, i) -> {
      if (source.isNullAt(i)) {
        throw new FieldException("NULL in a column of type " + type + " NOT NULL");
      }
      cell.write(avro, source, i);
    };
  }

  private static AvroCell notNull(FieldType type) {
    return switch (type.kind) {
      case "NULL" -> (avro, source, i) -> avro.writeNull();
      case "BOOLEAN" -> (avro, source, i) -> avro.writeBoolean(source.getBoolean(i));
      case "TINYINT" -> (avro, source, i) -> avro.writeInt(source.getByte(i));
      case "SMALLINT" -> (avro, source, i) -> avro.writeInt(source.getShort(i));
      case "INT", "DATE" -> (avro, source, i) -> avro.writeInt(source.getInt(i));
      case "BIGINT" -> (avro, source, i) -> avro.writeLong(source.getLong(i));
      case "FLOAT" -> (avro, source, i) -> avro.writeFloat(source.getFloat(i));
      case "DOUBLE" -> (avro, source, i) -> avro.writeDouble(source.getDouble(i));
      case "DECIMAL" -> (avro, source, i) -> avro.writeBytes(
          source.getDecimal(i, type.precision, type.scale).toJavaBigDecimal().unscaledValue().toByteArray());
      case "CHAR", "VARCHAR", "STRING" -> (avro, source, i) -> avro.writeBytes(source.getUTF8String(i).getBytes());
      case "BINARY", "VARBINARY", "BYTES" -> (avro, source, i) -> avro.writeBytes(source.getBinary(i));
      case "TIME" -> (avro, source, i) -> avro.writeInt((int) (source.getLong(i) / NANOS_PER_MILLI));
      case "TIMESTAMP", "TIMESTAMP_LTZ" -> (avro, source, i) ->
          avro.writeLong(AvroTimes.fromMicros(source.getLong(i), type.precision));
      case "ARRAY" -> array(of(type.children.get(0)));
      case "MAP" -> map(of(type.children.get(1)));
      case "MULTISET" -> map(of(FieldType.integer()));
      case "ROW" -> row(type);
      default -> throw new IllegalArgumentException("Avro has no form for " + type);
    };
  }

  private static AvroCell array(AvroCell element) {
    return (avro, source, i) -> {
      ArrayData elements = source.getArray(i);
      avro.writeArrayStart();
      avro.setItemCount(elements.numElements());
      for (int k = 0; k < elements.numElements(); k++) {
        avro.startItem();
        element.write(avro, elements, k);
      }
      avro.writeArrayEnd();
    };
  }

  private static AvroCell map(AvroCell value) {
    return (avro, source, i) -> {
      MapData map = source.getMap(i);
      avro.writeMapStart();
      avro.setItemCount(map.numElements());
      for (int k = 0; k < map.numElements(); k++) {
        avro.startItem();
        avro.writeBytes(map.keyArray().getUTF8String(k).getBytes());
        value.write(avro, map.valueArray(), k);
      }
      avro.writeMapEnd();
    };
  }

  private static AvroCell row(FieldType type) {
    AvroCell fields = fields(type.names, type.children);
    return (avro, source, i) -> fields.write(avro, source.getStruct(i, type.names.size()), 0);
  }

  /** All the source's own fields; the position is not looked at. */
  static AvroCell fields(List<String> names, List<FieldType> types) {
    AvroCell[] cells = types.stream().map(AvroCells::of).toArray(AvroCell[]::new);
    return (avro, source, ignored) -> {
      for (int i = 0; i < cells.length; i++) {
        write(cells[i], names.get(i), avro, source, i);
      }
    };
  }

  private static void write(AvroCell cell, String name, Encoder avro, SpecializedGetters source, int i)
      throws IOException {
    try {
      cell.write(avro, source, i);
    } catch (FieldException failure) {
      throw failure.inside(name);
    }
  }
}
