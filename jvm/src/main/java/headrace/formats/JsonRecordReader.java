package headrace.formats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a JSON object as a row and an array of objects as several, straight from the bytes. What follows the document is
 * not looked at, as in Flink.
 */
final class JsonRecordReader implements RecordReader {
  private final JsonObject rows;
  private final boolean ignoreParseErrors;
  private final boolean asTree;

  JsonRecordReader(FormatSpec format) {
    rows = new JsonValues(format).object(format.fields);
    ignoreParseErrors = format.ignoresParseErrors();
    asTree = !format.flag("decode.json-parser.enabled");
  }

  @Override
  public List<Object[]> read(byte[] record, int width) throws IOException {
    if (record == null || record.length == 0) {
      return List.of();
    }
    JsonCursor cursor = new JsonCursor(JsonEncoding.utf8(record));
    return cursor.opens('[') ? elements(cursor, width) : List.<Object[]>of(row(cursor, width));
  }

  /**
   * Where errors are ignored, Flink's parser keeps the rows before the first element that cannot be read; with the other reader,
   * which takes the whole document in first, an element that is no object is left out.
   */
  private List<Object[]> elements(JsonCursor cursor, int width) throws IOException {
    List<Object[]> elements = new ArrayList<>();
    try {
      for (boolean more = cursor.hasFirst(']'); more; more = cursor.hasNext(']')) {
        if (asTree && ignoreParseErrors && cursor.peek() != '{') {
          cursor.passValue();
        } else {
          elements.add(row(cursor, width));
        }
      }
    } catch (IOException | RuntimeException unreadable) {
      if (asTree || !ignoreParseErrors) {
        throw unreadable;
      }
    }
    return elements;
  }

  private Object[] row(JsonCursor cursor, int width) throws IOException {
    if (cursor.peek() != '{') {
      throw noObject("a row", cursor);
    }
    Object[] cells = new Object[width];
    rows.read(cursor, cells);
    return cells;
  }

  /** What stands where an object should. */
  static FieldException noObject(String what, JsonCursor cursor) throws IOException {
    return new FieldException(what + " is a JSON object, not " + described(cursor));
  }

  private static String described(JsonCursor cursor) throws IOException {
    int first = cursor.peek();
    int start = cursor.position();
    if (first == JsonCursor.END) {
      return "blank";
    }
    cursor.passValue();
    return first == '[' ? "an array" : first == '"' ? "a string"
        : JsonCursor.startsNumber(first) ? "a number" : JsonStrings.text(cursor.bytes, start, cursor.position());
  }
}
