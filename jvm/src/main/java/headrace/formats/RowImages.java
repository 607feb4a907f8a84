package headrace.formats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the rows inside of a message. A row that is no object is null where parse errors are ignored. */
final class RowImages {
  private final JsonObject object;
  private final int width;
  private final boolean ignoreParseErrors;

  RowImages(FormatSpec format, JsonValues values, int width) {
    object = values.object(format.fields);
    this.width = width;
    ignoreParseErrors = format.ignoresParseErrors();
  }

  /** A row of which a message may give a part only. */
  record Partial(Object[] cells, boolean[] seen) {}

  Object[] whole(JsonCursor cursor) throws IOException {
    if (!startsRow(cursor)) {
      return null;
    }
    Object[] cells = new Object[width];
    object.read(cursor, cells);
    return cells;
  }

  Partial partial(JsonCursor cursor) throws IOException {
    if (!startsRow(cursor)) {
      return null;
    }
    Object[] cells = new Object[width];
    return new Partial(cells, object.readSeen(cursor, cells));
  }

  /** The old row: what the message leaves out of it did not change. Null where there is no old row. */
  Object[] completed(Partial old, Object[] now) {
    if (old == null) {
      return null;
    }
    object.fillUnseen(old.cells, old.seen, now);
    return old.cells;
  }

  /** The rows of an array; null where there is none. */
  JsonValue several(JsonValue row) {
    return cursor -> {
      if (cursor.takesNull()) {
        return null;
      }
      if (!cursor.opens('[')) {
        return refused(cursor, "an array of rows");
      }
      List<Object> rows = new ArrayList<>();
      for (boolean more = cursor.hasFirst(']'); more; more = cursor.hasNext(']')) {
        rows.add(row.read(cursor));
      }
      return rows;
    };
  }

  private boolean startsRow(JsonCursor cursor) throws IOException {
    if (cursor.takesNull()) {
      return false;
    }
    if (cursor.peek() == '{') {
      return true;
    }
    refused(cursor, "a row");
    return false;
  }

  private Object refused(JsonCursor cursor, String wanted) throws IOException {
    int start = cursor.position();
    cursor.passValue();
    if (!ignoreParseErrors) {
      throw new FieldException("'" + JsonStrings.text(cursor.bytes, start, cursor.position()) + "' is not " + wanted);
    }
    return null;
  }
}
