package headrace.formats;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;

/** Which field of a message a column is, and whether it can be. */
final class ProtobufFields {
  private ProtobufFields() {}

  static FieldDescriptor of(Descriptor message, String name, FieldType type) {
    FieldDescriptor field = message.findFieldByName(name);
    if (field == null) {
      throw ProtobufDescriptors.unusable(message.getFullName(), "no field '" + name + "'");
    }
    require(fits(field, type), field, type);
    return field;
  }

  private static void require(boolean fits, FieldDescriptor field, FieldType type) {
    if (!fits) {
      String kind = field.isMapField() ? "map" : (field.isRepeated() ? "repeated " : "") + field.getType();
      String reason = "field '" + field.getName() + "' is " + kind.toLowerCase() + ", the column " + type;
      throw ProtobufDescriptors.unusable(field.getContainingType().getFullName(), reason);
    }
  }

  private static boolean fits(FieldDescriptor field, FieldType type) {
    return switch (type.kind) {
      case "MAP" -> field.isMapField()
          && fitsOne(key(field), type.children.get(0)) && fitsOne(value(field), type.children.get(1));
      case "ARRAY" -> field.isRepeated() && !field.isMapField() && fitsOne(field, type.children.get(0));
      default -> !field.isRepeated() && fitsOne(field, type);
    };
  }

  /** One value of the field; the fields of a message are looked at when its readers are made. */
  private static boolean fitsOne(FieldDescriptor field, FieldType type) {
    JavaType java = field.getJavaType();
    return switch (type.kind) {
      case "BOOLEAN" -> java == JavaType.BOOLEAN;
      case "TINYINT", "SMALLINT" -> java == JavaType.ENUM;
      case "INT" -> java == JavaType.INT || java == JavaType.ENUM;
      case "BIGINT" -> java == JavaType.LONG || java == JavaType.ENUM;
      case "FLOAT" -> java == JavaType.FLOAT;
      case "DOUBLE" -> java == JavaType.DOUBLE;
      case "CHAR", "VARCHAR", "STRING" -> java == JavaType.STRING || java == JavaType.ENUM;
      case "BINARY", "VARBINARY", "BYTES" -> java == JavaType.BYTE_STRING;
      case "ROW" -> java == JavaType.MESSAGE;
      default -> false;
    };
  }

  static FieldDescriptor key(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(1);
  }

  static FieldDescriptor value(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(2);
  }
}
