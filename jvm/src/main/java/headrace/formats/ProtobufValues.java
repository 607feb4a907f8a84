package headrace.formats;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The readers of a message's fields. What the message does not have is NULL, unless defaults are asked for; fields of
 * proto3 that are neither messages nor repeated always have a value.
 */
final class ProtobufValues {
  private final boolean defaults;

  ProtobufValues(boolean defaults) {
    this.defaults = defaults;
  }

  Function<Message, Object> field(Descriptor message, String name, FieldType type) {
    FieldDescriptor field = ProtobufFields.of(message, name, type);
    Function<Object, Object> value = value(field, type);
    if (field.isRepeated()) {
      return from -> defaults || from.getRepeatedFieldCount(field) > 0 ? value.apply(from.getField(field)) : null;
    }
    boolean isSimple = field.getJavaType() != JavaType.MESSAGE;
    boolean always = defaults || isSimple && (isProto3(message) || !field.hasPresence());
    return from -> always || from.hasField(field) ? value.apply(from.getField(field)) : null;
  }

  private static boolean isProto3(Descriptor message) {
    return message.getFile().toProto().getSyntax().equals("proto3");
  }

  private Function<Object, Object> value(FieldDescriptor field, FieldType type) {
    return switch (type.kind) {
      case "ARRAY" -> array(one(field, type.children.get(0)));
      case "MAP" -> map(field, type);
      default -> one(field, type);
    };
  }

  private Function<Object, Object> one(FieldDescriptor field, FieldType type) {
    return switch (field.getJavaType()) {
      case BYTE_STRING -> value -> ((ByteString) value).toByteArray();
      case STRING -> value -> UTF8String.fromString((String) value);
      case ENUM -> symbol(type);
      case MESSAGE -> row(field.getMessageType(), type);
      default -> value -> value;
    };
  }

  private static Function<Object, Object> symbol(FieldType type) {
    return switch (type.kind) {
      case "TINYINT" -> value -> (byte) ((EnumValueDescriptor) value).getNumber();
      case "SMALLINT" -> value -> (short) ((EnumValueDescriptor) value).getNumber();
      case "INT" -> value -> ((EnumValueDescriptor) value).getNumber();
      case "BIGINT" -> value -> (long) ((EnumValueDescriptor) value).getNumber();
      default -> value -> UTF8String.fromString(name((EnumValueDescriptor) value));
    };
  }

  /** A number that the enum does not define has no place in it, and the name that generated classes give it. */
  private static String name(EnumValueDescriptor value) {
    return value.getIndex() < 0 ? "UNRECOGNIZED" : value.getName();
  }

  private Function<Object, Object> row(Descriptor message, FieldType type) {
    List<Function<Message, Object>> fields = new ArrayList<>();
    for (int i = 0; i < type.names.size(); i++) {
      fields.add(field(message, type.names.get(i), type.children.get(i)));
    }
    return value -> {
      Object[] cells = new Object[fields.size()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = fields.get(i).apply((Message) value);
      }
      return new GenericInternalRow(cells);
    };
  }

  private static Function<Object, Object> array(Function<Object, Object> element) {
    return value -> new GenericArrayData(((List<?>) value).stream().map(element).toArray());
  }

  private Function<Object, Object> map(FieldDescriptor field, FieldType type) {
    FieldDescriptor keyField = ProtobufFields.key(field);
    FieldDescriptor valueField = ProtobufFields.value(field);
    Function<Object, Object> key = one(keyField, type.children.get(0));
    Function<Object, Object> entry = one(valueField, type.children.get(1));
    return value -> {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (Object pair : (List<?>) value) {
        Message message = (Message) pair;
        entries.put(key.apply(message.getField(keyField)), entry.apply(message.getField(valueField)));
      }
      return new ArrayBasedMapData(
          new GenericArrayData(entries.keySet().toArray()), new GenericArrayData(entries.values().toArray()));
    };
  }
}
