package headrace.formats;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/** The writers of a message's fields. A NULL is left out; inside arrays and maps, which have none, it is a default. */
final class ProtobufCells {
  /** Puts the value at a position of a row into a message. */
  @FunctionalInterface
  interface Put {
    void into(Message.Builder message, SpecializedGetters source, int position);
  }

  /** One value as protobuf has it. */
  @FunctionalInterface
  private interface Cell {
    Object get(SpecializedGetters source, int position);
  }

  private final String nullText;

  ProtobufCells(String nullText) {
    this.nullText = nullText;
  }

  Put field(Descriptor message, String name, FieldType type) {
    FieldDescriptor field = ProtobufFields.of(message, name, type);
    Put put = switch (type.kind) {
      case "ARRAY" -> array(field, type.children.get(0));
      case "MAP" -> map(field, type);
      default -> single(field, one(field, type));
    };
    return (into, source, i) -> {
      if (!source.isNullAt(i)) {
        put.into(into, source, i);
      }
    };
  }

  private static Put single(FieldDescriptor field, Cell cell) {
    return (into, source, i) -> into.setField(field, cell.get(source, i));
  }

  private Put array(FieldDescriptor field, FieldType type) {
    Cell element = orDefault(field, one(field, type));
    return (into, source, i) -> {
      ArrayData elements = source.getArray(i);
      for (int k = 0; k < elements.numElements(); k++) {
        into.addRepeatedField(field, element.get(elements, k));
      }
    };
  }

  private Put map(FieldDescriptor field, FieldType type) {
    FieldDescriptor keyField = ProtobufFields.key(field);
    FieldDescriptor valueField = ProtobufFields.value(field);
    Cell key = orDefault(keyField, one(keyField, type.children.get(0)));
    Cell value = orDefault(valueField, one(valueField, type.children.get(1)));
    return (into, source, i) -> {
      MapData map = source.getMap(i);
      for (int k = 0; k < map.numElements(); k++) {
        into.addRepeatedField(field, DynamicMessage.newBuilder(field.getMessageType())
            .setField(keyField, key.get(map.keyArray(), k))
            .setField(valueField, value.get(map.valueArray(), k))
            .build());
      }
    };
  }

  private Cell orDefault(FieldDescriptor field, Cell cell) {
    Object missing = switch (field.getJavaType()) {
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
      case BOOLEAN -> false;
      case STRING -> nullText;
      case BYTE_STRING -> ByteString.EMPTY;
      case ENUM -> field.getEnumType().getValues().get(0);
      case MESSAGE -> DynamicMessage.getDefaultInstance(field.getMessageType());
    };
    return (source, i) -> source.isNullAt(i) ? missing : cell.get(source, i);
  }

  private Cell one(FieldDescriptor field, FieldType type) {
    return switch (field.getJavaType()) {
      case INT -> (source, i) -> source.getInt(i);
      case LONG -> (source, i) -> source.getLong(i);
      case FLOAT -> (source, i) -> source.getFloat(i);
      case DOUBLE -> (source, i) -> source.getDouble(i);
      case BOOLEAN -> (source, i) -> source.getBoolean(i);
      case STRING -> (source, i) -> source.getUTF8String(i).toString();
      case BYTE_STRING -> (source, i) -> ByteString.copyFrom(source.getBinary(i));
      case ENUM -> symbol(field.getEnumType(), type);
      case MESSAGE -> message(field.getMessageType(), type);
    };
  }

  /** What the enum does not define is written as its first value. */
  private static Cell symbol(EnumDescriptor symbols, FieldType type) {
    EnumValueDescriptor first = symbols.getValues().get(0);
    return (source, i) -> {
      EnumValueDescriptor found = switch (type.kind) {
        case "TINYINT" -> symbols.findValueByNumber(source.getByte(i));
        case "SMALLINT" -> symbols.findValueByNumber(source.getShort(i));
        case "INT" -> symbols.findValueByNumber(source.getInt(i));
        case "BIGINT" -> symbols.findValueByNumber((int) source.getLong(i));
        default -> symbols.findValueByName(source.getUTF8String(i).toString());
      };
      return found == null ? first : found;
    };
  }

  private Cell message(Descriptor message, FieldType type) {
    List<Put> fields = fields(message, type.names, type.children);
    return (source, i) -> built(message, fields, source.getStruct(i, fields.size()));
  }

  List<Put> fields(Descriptor message, List<String> names, List<FieldType> types) {
    return IntStream.range(0, names.size())
        .mapToObj(i -> field(message, names.get(i), types.get(i)))
        .toList();
  }

  static Message built(Descriptor message, List<Put> fields, SpecializedGetters source) {
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(message);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).into(builder, source, i);
    }
    return builder.build();
  }
}
