package headrace.formats;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a JSON object's fields into cells and skips, without building anything, those nobody reads. */
final class JsonObject {
  private final Map<String, Integer> positions = new HashMap<>();
  private final Field[] fields;
  private final JsonValue[] readers;
  private final boolean failOnMissingField;

  JsonObject(List<Field> fields, JsonValues values, boolean failOnMissingField) {
    this.fields = fields.toArray(new Field[0]);
    this.readers = new JsonValue[this.fields.length];
    this.failOnMissingField = failOnMissingField;
    for (int i = 0; i < this.fields.length; i++) {
      positions.put(this.fields[i].name(), i);
      readers[i] = this.fields[i].isRead() ? values.of(this.fields[i].type()) : null;
    }
  }

  void read(JsonParser parser, Object[] cells) throws IOException {
    JsonValues.expect(parser, JsonToken.START_OBJECT);
    boolean[] seen = failOnMissingField ? new boolean[fields.length] : null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Integer position = positions.get(parser.currentName());
      parser.nextToken();
      if (position == null) {
        parser.skipChildren();
        continue;
      }
      if (seen != null) {
        seen[position] = true;
      }
      readField(parser, position, cells);
    }
    if (seen != null) {
      rejectMissing(seen);
    }
  }

  private void readField(JsonParser parser, int position, Object[] cells) throws IOException {
    if (readers[position] == null) {
      parser.skipChildren();
      return;
    }
    try {
      cells[fields[position].cell()] = readers[position].read(parser);
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
