package headrace.connect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The bytes up to the payload, which are the same in all records that one producer wrote with one schema. Where they are
 * known already, neither the schema nor its end need be looked for again.
 *
 * @param schema text of the schema
 */
record EnvelopeStart(byte[] bytes, UTF8String schema) {
  static final Object UNUSUAL = new Object();

  /** Of a record that has its schema first, as all producers write it, whatever its payload is; null for others. */
  static EnvelopeStart of(byte[] record) {
    try (JsonParser parser = JsonTree.MAPPER.createParser(record)) {
      if (parser.nextToken() != JsonToken.START_OBJECT || !"schema".equals(parser.nextFieldName())) {
        return null;
      }
      if (parser.nextToken() == JsonToken.VALUE_STRING) {
        return null; // the parser would not have read to its end
      }
      UTF8String schema = UTF8String.fromString(JsonTree.MAPPER.readTree(parser).toString());
      int end = behind(record, (int) parser.currentLocation().getByteOffset(), ",", "\"payload\"", ":");
      return end < 0 ? null : new EnvelopeStart(Arrays.copyOf(record, end), schema);
    } catch (IOException malformed) {
      return null;
    }
  }

  /** Where these parts end that follow a place, with blanks between them or not; -1 where others do. */
  private static int behind(byte[] record, int place, String... parts) {
    int at = place;
    for (String part : parts) {
      while (at < record.length && record[at] == ' ') {
        at++;
      }
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      if (!begins(record, at, bytes)) {
        return -1;
      }
      at += bytes.length;
    }
    return at;
  }

  private static boolean begins(byte[] record, int at, byte[] part) {
    return record.length >= at + part.length && Arrays.equals(record, at, at + part.length, part, 0, part.length);
  }

  boolean fits(byte[] record) {
    return begins(record, 0, bytes);
  }

  /** Whether a record that fits has a null for a payload. */
  boolean holdsNull(byte[] record) {
    return behind(record, bytes.length, "null", "}") == record.length;
  }

  /** The payload of a record that fits as Spark's value; UNUSUAL where it must be read otherwise. */
  Object payload(byte[] record, JsonTokens tokens) {
    int end = record.length - 1;
    if (end < bytes.length || record[end] != '}') {
      return UNUSUAL;
    }
    try (JsonParser parser = JsonTree.MAPPER.createParser(record, bytes.length, end - bytes.length)) {
      Object payload = tokens.read(parser);
      return parser.nextToken() == null ? payload : UNUSUAL;
    } catch (IOException | DataFault unusual) {
      return UNUSUAL;
    }
  }

  /** The payload of a record that fits; null where there is more behind it, or it is malformed: others shall say how. */
  JsonNode payload(byte[] record) {
    int end = record.length - 1;
    if (end < bytes.length || record[end] != '}') {
      return null;
    }
    try (JsonParser parser = JsonTree.MAPPER.createParser(record, bytes.length, end - bytes.length)) {
      JsonNode payload = JsonTree.MAPPER.readTree(parser);
      return payload != null && parser.nextToken() == null ? payload : null;
    } catch (IOException malformed) {
      return null;
    }
  }
}
