package headrace.formats;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The readers of Avro values by SQL type, for the schema Flink derives from a table: a nullable column is the union
 * of null and its type, in that order.
 */
final class AvroValues {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private AvroValues() {}

  static AvroValue of(FieldType type) {
    AvroValue reader = notNull(type);
    if (!type.nullable || type.kind.equals("NULL")) {
      return reader;
    }
    return input -> {
      long branch = input.number();
      if (branch != 0 && branch != 1) {
        throw new FieldException("a nullable " + type + " has no union branch " + branch);
      }
      return branch == 0 ? null : reader.read(input);
    };
  }

  private static AvroValue notNull(FieldType type) {
    return switch (type.kind) {
      case "NULL" -> input -> null;
      case "BOOLEAN" -> AvroInput::bool;
      case "TINYINT" -> input -> (byte) input.integer();
      case "SMALLINT" -> input -> (short) input.integer();
      case "INT", "DATE" -> AvroInput::integer;
      case "BIGINT" -> AvroInput::number;
      case "FLOAT" -> AvroInput::single;
      case "DOUBLE" -> AvroInput::dual;
      case "DECIMAL" -> input ->
          Decimals.fitted(new BigDecimal(new BigInteger(input.bytes()), type.scale), type);
      case "CHAR", "VARCHAR", "STRING" -> input -> UTF8String.fromBytes(input.bytes());
      case "BINARY", "VARBINARY", "BYTES" -> AvroInput::bytes;
      case "TIME" -> input -> input.integer() * NANOS_PER_MILLI;
      case "TIMESTAMP", "TIMESTAMP_LTZ" -> input -> AvroTimes.toMicros(input.number(), type.precision);
      case "ARRAY" -> array(of(type.children.get(0)));
      case "MAP" -> map(of(type.children.get(1)));
      case "MULTISET" -> map(of(FieldType.integer()));
      case "ROW" -> row(type);
      default -> throw new IllegalArgumentException("Avro has no form for " + type);
    };
  }

  private static AvroValue array(AvroValue element) {
    return input -> {
      List<Object> elements = new ArrayList<>();
      for (int left = input.block(); left > 0; left = input.block()) {
        for (int i = 0; i < left; i++) {
          elements.add(element.read(input));
        }
      }
      return new GenericArrayData(elements.toArray());
    };
  }

  private static AvroValue map(AvroValue value) {
    return input -> {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int left = input.block(); left > 0; left = input.block()) {
        for (int i = 0; i < left; i++) {
          entries.put(UTF8String.fromBytes(input.bytes()), value.read(input));
        }
      }
      return new ArrayBasedMapData(
          new GenericArrayData(entries.keySet().toArray()), new GenericArrayData(entries.values().toArray()));
    };
  }

  private static AvroValue row(FieldType type) {
    AvroValue[] readers = type.children.stream().map(AvroValues::of).toArray(AvroValue[]::new);
    return input -> {
      Object[] cells = new Object[readers.length];
      for (int i = 0; i < readers.length; i++) {
        cells[i] = named(readers[i], type.names.get(i), input);
      }
      return new GenericInternalRow(cells);
    };
  }

  /** Reads a field; a failure leaves with the field's name. */
  static Object named(AvroValue reader, String name, AvroInput input) {
    try {
      return reader.read(input);
    } catch (FieldException failure) {
      throw failure.inside(name);
    } catch (IOException | RuntimeException failure) {
      throw new FieldException(name, failure.getMessage(), failure);
    }
  }
}
