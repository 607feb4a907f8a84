package headrace.formats;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/** The writers of Avro values, by SQL type and the schema they are written with. */
final class AvroCells {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_MICRO = 1_000L;

  private AvroCells() {}

  static AvroCell of(FieldType type, Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      AvroCell cell = notNull(type, schema);
      return type.kind.equals("NULL") ? cell : required(cell, type);
    }
    int nullBranch = schema.getIndexNamed("null");
    // A union of one type and null, which is all that a table's schema may have, in either order.
    int valueBranch = nullBranch == 0 ? 1 : 0;
    return nullable(notNull(type, schema.getTypes().get(valueBranch)), nullBranch, valueBranch);
  }

  private static AvroCell nullable(AvroCell cell, int nullBranch, int valueBranch) {
    return (avro, source, i) -> {
      boolean isNull = source.isNullAt(i);
      avro.writeIndex(isNull ? nullBranch : valueBranch);
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

  private static AvroCell notNull(FieldType type, Schema schema) {
    return switch (type.kind) {
      case "NULL" -> (avro, source, i) -> avro.writeNull();
      case "BOOLEAN" -> (avro, source, i) -> avro.writeBoolean(source.getBoolean(i));
      case "TINYINT" -> (avro, source, i) -> avro.writeInt(source.getByte(i));
      case "SMALLINT" -> (avro, source, i) -> avro.writeInt(source.getShort(i));
      case "INT", "DATE" -> (avro, source, i) -> avro.writeInt(source.getInt(i));
      case "BIGINT" -> (avro, source, i) -> avro.writeLong(source.getLong(i));
      case "FLOAT" -> (avro, source, i) -> avro.writeFloat(source.getFloat(i));
      case "DOUBLE" -> (avro, source, i) -> avro.writeDouble(source.getDouble(i));
      case "DECIMAL" -> decimal(type, schema);
      case "CHAR", "VARCHAR", "STRING" -> text(schema);
      case "BINARY", "VARBINARY", "BYTES" -> bytes(schema);
      case "TIME" -> time(schema);
      case "TIMESTAMP", "TIMESTAMP_LTZ" -> timestamp(type, schema);
      case "ARRAY" -> array(of(type.children.get(0), schema.getElementType()));
      case "MAP" -> map(of(type.children.get(1), schema.getValueType()));
      case "MULTISET" -> map(of(FieldType.integer(), schema.getValueType()));
      case "ROW" -> row(type, schema);
      default -> throw new IllegalArgumentException("Avro has no form for " + type);
    };
  }

  private static AvroCell text(Schema schema) {
    if (schema.getType() != Schema.Type.ENUM) {
      return (avro, source, i) -> avro.writeString(new Utf8(source.getUTF8String(i).getBytes()));
    }
    return (avro, source, i) -> {
      String symbol = source.getUTF8String(i).toString();
      if (!schema.hasEnumSymbol(symbol)) {
        throw new FieldException("'" + symbol + "' is no symbol of the enum " + schema.getFullName());
      }
      avro.writeEnum(schema.getEnumOrdinal(symbol));
    };
  }

  private static AvroCell bytes(Schema schema) {
    return schema.getType() == Schema.Type.FIXED
        ? (avro, source, i) -> writeFixed(avro, source.getBinary(i), schema)
        : (avro, source, i) -> avro.writeBytes(source.getBinary(i));
  }

  private static void writeFixed(Encoder avro, byte[] bytes, Schema schema) throws IOException {
    if (bytes.length != schema.getFixedSize()) {
      throw new FieldException(bytes.length + " bytes do not fill a fixed of " + schema.getFixedSize());
    }
    avro.writeFixed(bytes);
  }

  private static AvroCell decimal(FieldType type, Schema schema) {
    boolean fixed = schema.getType() == Schema.Type.FIXED;
    return (avro, source, i) -> {
      byte[] unscaled =
          source.getDecimal(i, type.precision, type.scale).toJavaBigDecimal().unscaledValue().toByteArray();
      if (fixed) {
        writeFixed(avro, extended(unscaled, schema.getFixedSize()), schema);
      } else {
        avro.writeBytes(unscaled);
      }
    };
  }

  /** The same number in more bytes: in front go copies of its sign. */
  private static byte[] extended(byte[] number, int size) {
    if (number.length >= size) {
      return number;
    }
    byte[] longer = new byte[size];
    Arrays.fill(longer, number[0] < 0 ? (byte) -1 : 0);
    System.arraycopy(number, 0, longer, size - number.length, number.length);
    return longer;
  }

  private static AvroCell time(Schema schema) {
    return schema.getType() == Schema.Type.LONG
        ? (avro, source, i) -> avro.writeLong(source.getLong(i) / NANOS_PER_MICRO)
        : (avro, source, i) -> avro.writeInt((int) (source.getLong(i) / NANOS_PER_MILLI));
  }

  private static AvroCell timestamp(FieldType type, Schema schema) {
    int digits = AvroTimes.digits(schema, type);
    return (avro, source, i) -> avro.writeLong(AvroTimes.fromMicros(source.getLong(i), digits));
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
        avro.writeString(new Utf8(map.keyArray().getUTF8String(k).getBytes()));
        value.write(avro, map.valueArray(), k);
      }
      avro.writeMapEnd();
    };
  }

  private static AvroCell row(FieldType type, Schema schema) {
    AvroCell fields = fields(type.names, type.children, schema);
    return (avro, source, i) -> fields.write(avro, source.getStruct(i, type.names.size()), 0);
  }

  /** All the source's own fields, which the schema has in the same order; the position is not looked at. */
  static AvroCell fields(List<String> names, List<FieldType> types, Schema schema) {
    AvroCell[] cells = new AvroCell[types.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = of(types.get(i), schema.getFields().get(i).schema());
    }
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
