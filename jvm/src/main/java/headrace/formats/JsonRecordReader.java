package headrace.formats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a JSON object as a row and an array of objects as several, streaming over the bytes. */
final class JsonRecordReader implements RecordReader {
  /** Flink lets raw control characters pass inside strings. */
  static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS).build();

  private final JsonObject rows;

  JsonRecordReader(FormatSpec format) {
    rows = new JsonValues(format).object(format.fields);
  }

  @Override
  public List<Object[]> read(byte[] record, int width) throws IOException {
    if (record == null || record.length == 0) {
      return List.of();
    }
    try (JsonParser parser = FACTORY.createParser(record)) {
      JsonToken first = parser.nextToken();
      return first == JsonToken.START_ARRAY ? elements(parser, width) : List.<Object[]>of(row(parser, width));
    }
  }

  private List<Object[]> elements(JsonParser parser, int width) throws IOException {
    List<Object[]> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(row(parser, width));
    }
    return elements;
  }

  private Object[] row(JsonParser parser, int width) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new FieldException("a row is a JSON object, not " + described(parser.currentToken()));
    }
    Object[] cells = new Object[width];
    rows.read(parser, cells);
    return cells;
  }

  private static String described(JsonToken token) {
    if (token == null) {
      return "blank";
    }
    return token == JsonToken.START_ARRAY ? "an array in an array" : token.isNumeric() ? "a number"
        : token == JsonToken.VALUE_STRING ? "a string" : token.asString();
  }
}
