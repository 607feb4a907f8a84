package headrace.formats;

import java.io.IOException;
import java.util.List;

/** Reads Maxwell's messages: a row, and beside it the old values of what changed in it. */
final class MaxwellReader implements ChangeReader {
  private static final String DATA = "data";
  private static final String OLD = "old";

  private final ChangeForm form;
  private final RowImages rows;
  private final ChangeMessage message;

  MaxwellReader(FormatSpec format, ChangeForm form) {
    JsonValues values = new JsonValues(format);
    this.form = form;
    rows = new RowImages(format, values, form.width());
    List<MessageMetadata> metadata = MessageMetadata.of(format, values, false);
    message = new ChangeMessage(DATA, rows::whole, OLD, rows::partial, "type", values, metadata);
  }

  @Override
  public List<Change> read(byte[] record) throws IOException {
    if (record == null || record.length == 0) {
      return List.of();
    }
    Object[] found = message.read(new JsonCursor(JsonEncoding.utf8(record)));
    Object[] data = ChangeMessage.first(found);
    String type = message.operation(found);
    ChangeList changes = new ChangeList(form);
    switch (type) {
      case "insert" -> changes.insert(DATA, data);
      case "update" -> changes.update(OLD, old(found, ChangeList.required(DATA, data)), DATA, data);
      case "delete" -> changes.delete(DATA, ChangeList.required(DATA, data));
      default -> throw message.unknown(type, "insert, update, delete");
    }
    return message.complete(found, changes.changes());
  }

  private Object[] old(Object[] found, Object[] data) {
    RowImages.Partial old = ChangeMessage.second(found);
    return ChangeList.required(OLD, rows.completed(old, data));
  }
}
