package headrace.formats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads messages with the row before and after its change: those of Debezium and of Oracle GoldenGate. */
final class BeforeAfterReader implements ChangeReader {
  private static final String BEFORE = "before";
  private static final String AFTER = "after";
  private static final String PAYLOAD = "payload";

  private final ChangeForm form;
  private final ChangeMessage message;
  private final Operations operations;
  private final List<MessageMetadata> outside;
  private final JsonObject wrapper;

  /** The names that a format has for what can happen to a row. */
  record Operations(String field, List<String> inserts, String update, String delete) {
    String known() {
      return String.join(", ", inserts) + ", " + update + ", " + delete;
    }
  }

  private BeforeAfterReader(FormatSpec format, ChangeForm form, Operations operations, boolean wrapped) {
    JsonValues values = new JsonValues(format);
    RowImages rows = new RowImages(format, values, form.width());
    this.form = form;
    this.operations = operations;
    message = new ChangeMessage(
        BEFORE, rows::whole, AFTER, rows::whole, operations.field, values, MessageMetadata.of(format, values, false));
    outside = MessageMetadata.of(format, values, true);
    wrapper = wrapped ? wrapper() : null;
  }

  static ChangeReader debezium(FormatSpec format, ChangeForm form) {
    Operations operations = new Operations("op", List.of("c", "r"), "u", "d");
    return new BeforeAfterReader(format, form, operations, format.flag("schema-include"));
  }

  static ChangeReader ogg(FormatSpec format, ChangeForm form) {
    return new BeforeAfterReader(format, form, new Operations("op_type", List.of("I"), "U", "D"), false);
  }

  private JsonObject wrapper() {
    List<String> names = new ArrayList<>(List.of(PAYLOAD));
    List<JsonValue> readers = new ArrayList<>(List.of(message::read));
    for (MessageMetadata field : outside) {
      names.add(field.field);
      readers.add(field::read);
    }
    return new JsonObject(names, readers);
  }

  @Override
  public List<Change> read(byte[] record) throws IOException {
    if (record == null || record.length == 0) {
      return List.of();
    }
    JsonCursor cursor = new JsonCursor(JsonEncoding.utf8(record));
    return wrapper == null ? changes(message.read(cursor)) : wrapped(cursor);
  }

  private List<Change> wrapped(JsonCursor cursor) throws IOException {
    if (cursor.peek() != '{') {
      throw JsonRecordReader.noObject("a message", cursor);
    }
    Object[] found = new Object[1 + outside.size()];
    wrapper.read(cursor, found);
    if (found[0] == null) {
      throw new FieldException(PAYLOAD, "the field is missing", null);
    }
    List<Change> changes = changes((Object[]) found[0]);
    for (int i = 0; i < outside.size(); i++) {
      for (Change change : changes) {
        outside.get(i).put((Object[]) found[1 + i], change.cells());
      }
    }
    return changes;
  }

  private List<Change> changes(Object[] found) {
    ChangeList changes = new ChangeList(form);
    Object[] before = ChangeMessage.first(found);
    Object[] after = ChangeMessage.second(found);
    String operation = message.operation(found);
    if (operations.inserts.contains(operation)) {
      changes.insert(AFTER, after);
    } else if (operations.update.equals(operation)) {
      changes.update(BEFORE, before, AFTER, after);
    } else if (operations.delete.equals(operation)) {
      changes.delete(BEFORE, before);
    } else {
      throw message.unknown(operation, operations.known());
    }
    return message.complete(found, changes.changes());
  }
}
