package headrace.functions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.apache.spark.unsafe.types.UTF8String;

/** Text as a JSON string and back, with the escapes that Flink writes. */
public final class JsonTexts {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int ASCII = 128;
  // The same place in both: a character and the letter that stands for it after a backslash.
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";
  private static final String LETTERS = "\"\\/bfnrt";

  private JsonTexts() {}

  public static UTF8String quoted(UTF8String text) {
    String plain = text.toString();
    StringBuilder json = new StringBuilder(plain.length() + 2).append('"');
    for (int place = 0; place < plain.length(); place++) {
      append(json, plain.codePointAt(place));
    }
    return UTF8String.fromString(json.append('"').toString());
  }

  /** Other control characters stay as they are, and a pair of surrogates is its code point and its second half, in Flink. */
  private static void append(StringBuilder json, int codePoint) {
    int escape = ESCAPED.indexOf(codePoint);
    if (escape >= 0) {
      json.append('\\').append(LETTERS.charAt(escape));
    } else if (codePoint < ASCII) {
      json.append((char) codePoint);
    } else {
      json.append(String.format("\\u%04x", codePoint));
    }
  }

  /** What is no JSON string from its first character to its last is given back as it is. */
  public static UTF8String unquoted(UTF8String text) {
    String json = text.toString();
    if (json.length() < 2 || json.charAt(0) != '"' || json.charAt(json.length() - 1) != '"') {
      return text;
    }
    try (JsonParser parser = JSON.createParser(json)) {
      String value = parser.nextToken() == JsonToken.VALUE_STRING ? parser.getText() : null;
      return value == null || parser.nextToken() != null ? text : UTF8String.fromString(value);
    } catch (IOException malformed) {
      return text;
    }
  }
}
