package headrace.formats;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The readers of Avro values, by the schema they were written with and the SQL type they become. Which pairs fit is
 * Avro's schema resolution: numbers widen, text and bytes are one another, records go by the names of their fields. A
 * pair that does not fit fails when a value of it turns up, since it may stand in a branch that nobody writes.
 */
final class AvroValues {
  private final AvroSkips skips = new AvroSkips();

  AvroValue skip(Schema written) {
    return skips.of(written);
  }

  /** @param expected what the table says of the value beyond its type, such as a default; null where it says nothing */
  AvroValue of(Schema written, FieldType type, Schema expected) {
    return switch (written.getType()) {
      case UNION -> union(written, type, expected);
      case NULL -> type.nullable || type.kind.equals("NULL") ? skips.of(written) : failing("NULL", type);
      default -> {
        AvroValue reader = notNull(written, type, expected);
        yield reader == null ? failing(written.getType().getName(), type) : reader;
      }
    };
  }

  private AvroValue union(Schema written, FieldType type, Schema expected) {
    AvroValue[] branches = written.getTypes().stream().map(b -> of(b, type, expected)).toArray(AvroValue[]::new);
    return input -> {
      int branch = input.branch();
      if (branch < 0 || branch >= branches.length) {
        throw new FieldException("a nullable " + type + " has no union branch " + branch);
      }
      return branches[branch].read(input);
    };
  }

  private static AvroValue failing(String found, FieldType type) {
    return input -> {
      throw new FieldException("the writer's " + found + " is no " + type + (type.nullable ? "" : " NOT NULL"));
    };
  }

  private AvroValue notNull(Schema written, FieldType type, Schema expected) {
    return switch (type.kind) {
      case "BOOLEAN" -> is(written, Schema.Type.BOOLEAN) ? AvroInput::bool : null;
      case "TINYINT" -> is(written, Schema.Type.INT) ? input -> (byte) input.integer() : null;
      case "SMALLINT" -> is(written, Schema.Type.INT) ? input -> (short) input.integer() : null;
      case "INT", "DATE" -> is(written, Schema.Type.INT) ? AvroInput::integer : null;
      case "BIGINT" -> whole(written);
      case "FLOAT" -> single(written);
      case "DOUBLE" -> dual(written);
      case "DECIMAL" -> decimal(written, type);
      case "CHAR", "VARCHAR", "STRING" -> text(written);
      case "BINARY", "VARBINARY", "BYTES" -> bytes(written);
      case "TIME" -> time(written, type);
      case "TIMESTAMP", "TIMESTAMP_LTZ" -> timestamp(written, type);
      case "ARRAY" -> array(written, type, expected);
      case "MAP" -> map(written, type.children.get(1), expected);
      case "MULTISET" -> map(written, FieldType.integer(), expected);
      case "ROW" -> row(written, type, expected);
      default -> null;
    };
  }

  private static boolean is(Schema written, Schema.Type wanted) {
    return written.getType() == wanted;
  }

  private static AvroValue whole(Schema written) {
    return switch (written.getType()) {
      case LONG -> AvroInput::number;
      case INT -> input -> (long) input.integer();
      default -> null;
    };
  }

  private static AvroValue single(Schema written) {
    return switch (written.getType()) {
      case FLOAT -> AvroInput::single;
      case INT -> input -> (float) input.integer();
      case LONG -> input -> (float) input.number();
      default -> null;
    };
  }

  private static AvroValue dual(Schema written) {
    return switch (written.getType()) {
      case DOUBLE -> AvroInput::dual;
      case FLOAT -> input -> (double) input.single();
      case INT -> input -> (double) input.integer();
      case LONG -> input -> (double) input.number();
      default -> null;
    };
  }

  private static AvroValue text(Schema written) {
    return switch (written.getType()) {
      case STRING -> input -> UTF8String.fromBytes(input.text());
      case BYTES -> input -> UTF8String.fromBytes(input.bytes());
      case ENUM -> symbol(written);
      default -> null;
    };
  }

  private static AvroValue symbol(Schema written) {
    UTF8String[] symbols = written.getEnumSymbols().stream().map(UTF8String::fromString).toArray(UTF8String[]::new);
    return input -> {
      int symbol = input.symbol();
      if (symbol < 0 || symbol >= symbols.length) {
        throw new FieldException("an enum of " + symbols.length + " has no symbol " + symbol);
      }
      return symbols[symbol];
    };
  }

  private static AvroValue bytes(Schema written) {
    return switch (written.getType()) {
      case BYTES -> AvroInput::bytes;
      case STRING -> AvroInput::text;
      case FIXED -> input -> input.fixed(written.getFixedSize());
      default -> null;
    };
  }

  private static AvroValue decimal(Schema written, FieldType type) {
    if (!is(written, Schema.Type.BYTES) && !is(written, Schema.Type.FIXED)) {
      return null;
    }
    AvroValue unscaled = bytes(written);
    int scale = written.getLogicalType() instanceof LogicalTypes.Decimal decimal ? decimal.getScale() : type.scale;
    return input ->
        Decimals.fitted(new BigDecimal(new BigInteger((byte[]) unscaled.read(input)), scale), type);
  }

  private static AvroValue time(Schema written, FieldType type) {
    int digits = AvroTimes.digits(written, type);
    return switch (written.getType()) {
      case INT -> input -> AvroTimes.toNanos(input.integer(), digits);
      case LONG -> input -> AvroTimes.toNanos(input.number(), digits);
      default -> null;
    };
  }

  private static AvroValue timestamp(Schema written, FieldType type) {
    int digits = AvroTimes.digits(written, type);
    return switch (written.getType()) {
      case INT -> input -> AvroTimes.toMicros(input.integer(), digits);
      case LONG -> input -> AvroTimes.toMicros(input.number(), digits);
      default -> null;
    };
  }

  private AvroValue array(Schema written, FieldType type, Schema expected) {
    if (!is(written, Schema.Type.ARRAY)) {
      return null;
    }
    Schema inner = within(expected, Schema.Type.ARRAY);
    AvroValue element =
        of(written.getElementType(), type.children.get(0), inner == null ? null : inner.getElementType());
    return input -> {
      List<Object> elements = new ArrayList<>();
      for (long left = input.arrayStart(); left > 0; left = input.arrayNext()) {
        for (long i = 0; i < left; i++) {
          elements.add(element.read(input));
        }
      }
      return new GenericArrayData(elements.toArray());
    };
  }

  private AvroValue map(Schema written, FieldType type, Schema expected) {
    if (!is(written, Schema.Type.MAP)) {
      return null;
    }
    Schema inner = within(expected, Schema.Type.MAP);
    AvroValue value = of(written.getValueType(), type, inner == null ? null : inner.getValueType());
    return input -> {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (long left = input.mapStart(); left > 0; left = input.mapNext()) {
        for (long i = 0; i < left; i++) {
          entries.put(UTF8String.fromBytes(input.text()), value.read(input));
        }
      }
      return new ArrayBasedMapData(
          new GenericArrayData(entries.keySet().toArray()), new GenericArrayData(entries.values().toArray()));
    };
  }

  private AvroValue row(Schema written, FieldType type, Schema expected) {
    if (!is(written, Schema.Type.RECORD)) {
      return null;
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < type.names.size(); i++) {
      fields.add(new Field(type.names.get(i), type.children.get(i), i));
    }
    AvroRecord record = new AvroRecord(this, written, fields, within(expected, Schema.Type.RECORD));
    return input -> record.row(input, type.names.size());
  }

  /** The schema of the wanted type that `schema` is, or is a union with; null where there is none. */
  static Schema within(Schema schema, Schema.Type wanted) {
    if (schema == null || is(schema, wanted)) {
      return schema;
    }
    return is(schema, Schema.Type.UNION)
        ? schema.getTypes().stream().filter(branch -> is(branch, wanted)).findFirst().orElse(null)
        : null;
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
