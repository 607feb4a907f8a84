package headrace.formats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/** The object around the rows of a message: two fields with rows, one that names the operation, and metadata. */
final class ChangeMessage {
  private static final int FIRST = 0;
  private static final int SECOND = 1;
  private static final int OPERATION = 2;
  private static final int METADATA = 3;

  private final JsonObject object;
  private final String operation;
  private final List<MessageMetadata> metadata;

  ChangeMessage(
      String first, JsonValue firstRows, String second, JsonValue secondRows, String operation, JsonValues values,
      List<MessageMetadata> metadata) {
    List<String> names = new ArrayList<>(List.of(first, second, operation));
    List<JsonValue> readers = new ArrayList<>(List.of(firstRows, secondRows, values.of(FieldType.string())));
    for (MessageMetadata field : metadata) {
      names.add(field.field);
      readers.add(field::read);
    }
    object = new JsonObject(names, readers);
    this.operation = operation;
    this.metadata = metadata;
  }

  Object[] read(JsonCursor cursor) throws IOException {
    if (cursor.peek() != '{') {
      throw JsonRecordReader.noObject("a message", cursor);
    }
    Object[] found = new Object[METADATA + metadata.size()];
    object.read(cursor, found);
    return found;
  }

  @SuppressWarnings("unchecked") // what the field's own reader gave
  static <T> T first(Object[] message) {
    return (T) message[FIRST];
  }

  @SuppressWarnings("unchecked") // what the field's own reader gave
  static <T> T second(Object[] message) {
    return (T) message[SECOND];
  }

  String operation(Object[] message) {
    if (message[OPERATION] == null) {
      throw new FieldException(operation, "the field is missing", null);
    }
    return ((UTF8String) message[OPERATION]).toString();
  }

  /** All rows of a message carry what the message says, the old ones too. */
  List<Change> complete(Object[] message, List<Change> changes) {
    for (int i = 0; i < metadata.size(); i++) {
      for (Change change : changes) {
        metadata.get(i).put((Object[]) message[METADATA + i], change.cells());
      }
    }
    return changes;
  }

  FieldException unknown(String found, String known) {
    return new FieldException(operation, "'" + found + "' is no operation, expected one of " + known, null);
  }
}
