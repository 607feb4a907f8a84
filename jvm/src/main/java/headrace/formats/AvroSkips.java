package headrace.formats;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Steps over values that nobody asked for. A schema may contain itself, so each is looked at once. */
final class AvroSkips {
  private final Map<Schema, AvroValue> known = new IdentityHashMap<>();

  AvroValue of(Schema schema) {
    if (known.containsKey(schema)) {
      return input -> known.get(schema).read(input);
    }
    known.put(schema, null);
    AvroValue skip = skip(schema);
    known.put(schema, skip);
    return skip;
  }

  private AvroValue skip(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> input -> {
        input.nothing();
        return null;
      };
      case BOOLEAN -> AvroInput::bool;
      case INT -> AvroInput::integer;
      case LONG -> AvroInput::number;
      case FLOAT -> AvroInput::single;
      case DOUBLE -> AvroInput::dual;
      case STRING -> AvroInput::text;
      case BYTES -> AvroInput::bytes;
      case ENUM -> AvroInput::symbol;
      case FIXED -> input -> input.fixed(schema.getFixedSize());
      case ARRAY -> array(of(schema.getElementType()));
      case MAP -> map(of(schema.getValueType()));
      case UNION -> union(schema.getTypes().stream().map(this::of).toList());
      case RECORD -> all(schema.getFields().stream().map(field -> of(field.schema())).toList());
    };
  }

  private static AvroValue array(AvroValue element) {
    return input -> {
      for (long left = input.arrayStart(); left > 0; left = input.arrayNext()) {
        for (long i = 0; i < left; i++) {
          element.read(input);
        }
      }
      return null;
    };
  }

  private static AvroValue map(AvroValue value) {
    return input -> {
      for (long left = input.mapStart(); left > 0; left = input.mapNext()) {
        for (long i = 0; i < left; i++) {
          input.text();
          value.read(input);
        }
      }
      return null;
    };
  }

  private static AvroValue union(List<AvroValue> branches) {
    return input -> {
      int branch = input.branch();
      if (branch < 0 || branch >= branches.size()) {
        throw new FieldException("a union of " + branches.size() + " has no branch " + branch);
      }
      return branches.get(branch).read(input);
    };
  }

  private static AvroValue all(List<AvroValue> fields) {
    return input -> {
      for (AvroValue field : fields) {
        field.read(input);
      }
      return null;
    };
  }
}
