package headrace.formats;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads Canal's messages: the rows of a statement, and beside them the old values of what changed in each. */
final class CanalReader implements ChangeReader {
  private static final String DATA = "data";
  private static final String OLD = "old";
  private static final List<String> ORIGIN = List.of("database", "table");

  private static final UTF8String NULL_NAME = UTF8String.fromString("null");

  private final ChangeForm form;
  private final RowImages rows;
  private final ChangeMessage message;
  private final List<Pattern> included;
  private final JsonObject origin;

  CanalReader(FormatSpec format, ChangeForm form) {
    JsonValues values = new JsonValues(format);
    this.form = form;
    rows = new RowImages(format, values, form.width());
    message = new ChangeMessage(
        DATA, rows.several(rows::whole), OLD, rows.several(rows::partial), "type", values,
        MessageMetadata.of(format, values, false));
    included = Arrays.asList(pattern(format, "database.include"), pattern(format, "table.include"));
    JsonValue text = values.of(FieldType.string());
    // A statement of no table has null for its name, which is a name like another.
    JsonValue name = cursor -> cursor.takesNull() ? NULL_NAME : text.read(cursor);
    origin = new JsonObject(ORIGIN, List.of(name, name));
  }

  private static Pattern pattern(FormatSpec format, String option) {
    String text = format.text(option);
    return text == null ? null : Pattern.compile(text);
  }

  @Override
  public List<Change> read(byte[] record) throws IOException {
    if (record == null || record.length == 0) {
      return List.of();
    }
    byte[] text = JsonEncoding.utf8(record);
    return isIncluded(text) ? changes(message.read(new JsonCursor(text))) : List.of();
  }

  /** Asked first: rows of another table may not fit the columns of this one. */
  private boolean isIncluded(byte[] text) throws IOException {
    if (included.get(0) == null && included.get(1) == null) {
      return true;
    }
    Object[] names = new Object[ORIGIN.size()];
    JsonCursor cursor = new JsonCursor(text);
    if (cursor.peek() != '{') {
      throw JsonRecordReader.noObject("a message", cursor);
    }
    origin.read(cursor, names);
    return matches(0, names) && matches(1, names);
  }

  private boolean matches(int position, Object[] names) {
    Pattern pattern = included.get(position);
    if (pattern == null) {
      return true;
    }
    if (names[position] == null) {
      throw new FieldException(ORIGIN.get(position), "the field is missing", null);
    }
    return pattern.matcher(((UTF8String) names[position]).toString()).matches();
  }

  private List<Change> changes(Object[] found) {
    String type = message.operation(found);
    // The definition of a table changes none of its rows.
    if (type.equals("CREATE")) {
      return List.of();
    }
    if (!List.of("INSERT", "UPDATE", "DELETE").contains(type)) {
      throw message.unknown(type, "INSERT, UPDATE, DELETE, CREATE");
    }
    List<Object[]> data = ChangeMessage.first(found);
    if (data == null) {
      throw new FieldException(DATA, "the rows are missing", null);
    }
    ChangeList changes = new ChangeList(form);
    for (int i = 0; i < data.size(); i++) {
      change(changes, type, ChangeList.required(DATA, data.get(i)), found, i);
    }
    return message.complete(found, changes.changes());
  }

  private void change(ChangeList changes, String type, Object[] row, Object[] found, int position) {
    switch (type) {
      case "INSERT" -> changes.insert(DATA, row);
      case "DELETE" -> changes.delete(DATA, row);
      default -> changes.update(OLD, old(found, row, position), DATA, row);
    }
  }

  private Object[] old(Object[] found, Object[] row, int position) {
    List<RowImages.Partial> old = ChangeMessage.second(found);
    boolean told = old != null && position < old.size();
    return ChangeList.required(OLD, told ? rows.completed(old.get(position), row) : null);
  }
}
