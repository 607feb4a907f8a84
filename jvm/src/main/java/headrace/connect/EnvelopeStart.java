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
  private static final byte[] BEFORE = "{\"schema\":".getBytes(StandardCharsets.UTF_8);
  private static final byte[] BETWEEN = ",\"payload\":".getBytes(StandardCharsets.UTF_8);

  /** Of a record in this usual spelling; null for others. */
  static EnvelopeStart of(byte[] record, UTF8String schema) {
    if (!begins(record, 0, BEFORE)) {
      return null;
    }
    try (JsonParser parser = JsonTree.MAPPER.createParser(record)) {
      parser.nextToken();
      parser.nextToken();
      parser.nextToken();
      parser.skipChildren();
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        return null; // the parser has not read to its end yet
      }
      int end = (int) parser.currentLocation().getByteOffset();
      return begins(record, end, BETWEEN) ? new EnvelopeStart(Arrays.copyOf(record, end + BETWEEN.length), schema) : null;
    } catch (IOException malformed) {
      return null;
    }
  }

  private static boolean begins(byte[] record, int at, byte[] part) {
    return record.length >= at + part.length && Arrays.equals(record, at, at + part.length, part, 0, part.length);
  }

  boolean fits(byte[] record) {
    return begins(record, 0, bytes);
  }

  /** The payload of a record that fits; null where there is more behind it, or it is malformed: others shall say how. */
  JsonNode payload(byte[] record) {
    int end = record.length - 1;
    if (record[end] != '}') {
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
