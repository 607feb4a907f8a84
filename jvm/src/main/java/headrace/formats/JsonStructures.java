package headrace.formats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.StringWriter;

/** Objects and arrays as compact JSON text, printed by the library that Flink prints them with. */
final class JsonStructures {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS).build();

  private JsonStructures() {}

  /** The text of a structure whose bytes are checked. */
  static String compact(byte[] bytes, int from, int to) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonParser parser = FACTORY.createParser(bytes, from, to - from);
        JsonGenerator generator = FACTORY.createGenerator(text)) {
      parser.nextToken();
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }
}
