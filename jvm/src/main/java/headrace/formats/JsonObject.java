package headrace.formats;

import java.io.IOException;
import java.util.List;

/** Reads a JSON object's fields into cells and passes, without building anything, those nobody reads. */
final class JsonObject {
  private final JsonNames names;
  private final Field[] fields;
  private final JsonValue[] readers;
  private final boolean failOnMissingField;

  JsonObject(List<Field> fields, JsonValues values, boolean failOnMissingField) {
    names = new JsonNames(fields.stream().map(Field::name).toList());
    this.fields = fields.toArray(new Field[0]);
    this.readers = new JsonValue[this.fields.length];
    this.failOnMissingField = failOnMissingField;
    for (int i = 0; i < this.fields.length; i++) {
      readers[i] = this.fields[i].isRead() ? values.of(this.fields[i].type()) : null;
    }
  }

  /** An object of values that are each read on their own; the cells are the positions of the names. */
  JsonObject(List<String> names, List<JsonValue> readers) {
    this.names = new JsonNames(names);
    this.fields = new Field[names.size()];
    this.readers = readers.toArray(new JsonValue[0]);
    this.failOnMissingField = false;
    for (int i = 0; i < fields.length; i++) {
      fields[i] = new Field(names.get(i), null, i);
    }
  }

  void read(JsonCursor cursor, Object[] cells) throws IOException {
    boolean[] seen = failOnMissingField ? new boolean[fields.length] : null;
    read(cursor, cells, seen);
    if (seen != null) {
      rejectMissing(seen);
    }
  }

  /** The fields that an object holds, for one that may leave some out. */
  boolean[] readSeen(JsonCursor cursor, Object[] cells) throws IOException {
    boolean[] seen = new boolean[fields.length];
    read(cursor, cells, seen);
    return seen;
  }

  /** Fields that were not seen get the values that another row has in their cells. */
  void fillUnseen(Object[] cells, boolean[] seen, Object[] from) {
    for (int i = 0; i < fields.length; i++) {
      if (!seen[i] && fields[i].isRead()) {
        cells[fields[i].cell()] = from[fields[i].cell()];
      }
    }
  }

  /** `seen` is null where nobody asks which fields there are. */
  private void read(JsonCursor cursor, Object[] cells, boolean[] seen) throws IOException {
    JsonValues.open(cursor, '{');
    int expected = 0;
    for (boolean more = cursor.hasFirst('}'); more; more = cursor.hasNext('}')) {
      int position = names.pass(cursor, expected);
      cursor.passColon();
      if (position == JsonNames.UNKNOWN) {
        cursor.passValue();
        continue;
      }
      expected = position + 1;
      if (seen != null) {
        seen[position] = true;
      }
      readField(cursor, position, cells);
    }
  }

  private void readField(JsonCursor cursor, int position, Object[] cells) throws IOException {
    if (readers[position] == null) {
      cursor.passValue();
      return;
    }
    try {
      cells[fields[position].cell()] = readers[position].read(cursor);
    } catch (FieldException failure) {
      throw failure.inside(fields[position].name());
    }
  }

  private void rejectMissing(boolean[] seen) {
    for (int i = 0; i < seen.length; i++) {
      if (!seen[i]) {
        throw new FieldException(fields[i].name(), "the field is missing", null);
      }
    }
  }
}
