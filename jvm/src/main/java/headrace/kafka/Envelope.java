package headrace.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/**
 * What a change format writes around an encoded row: one text for rows that come, another for rows that go.
 *
 * @param header how many bytes the row's encoding begins with that stay in front of everything
 */
record Envelope(byte[] added, byte[] afterAdded, byte[] removed, byte[] afterRemoved, int header)
    implements Serializable {
  /** Null for a format that writes rows as they are. */
  static Envelope of(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    JsonNode added = node.get("added");
    JsonNode removed = node.get("removed");
    return new Envelope(
        bytes(added.get(0)), bytes(added.get(1)), bytes(removed.get(0)), bytes(removed.get(1)),
        node.path("header").asInt(0));
  }

  byte[] around(byte[] row, long weight) {
    return weight < 0 ? joined(removed, row, afterRemoved) : joined(added, row, afterAdded);
  }

  Column around(Column row, Column weight) {
    Column gone = functions.concat(functions.lit(removed), row, functions.lit(afterRemoved));
    return functions.when(weight.lt(0), gone)
        .otherwise(functions.concat(functions.lit(added), row, functions.lit(afterAdded)));
  }

  private byte[] joined(byte[] before, byte[] row, byte[] after) {
    byte[] message = new byte[before.length + row.length + after.length];
    System.arraycopy(row, 0, message, 0, header);
    System.arraycopy(before, 0, message, header, before.length);
    System.arraycopy(row, header, message, header + before.length, row.length - header);
    System.arraycopy(after, 0, message, before.length + row.length, after.length);
    return message;
  }

  private static byte[] bytes(JsonNode text) {
    return text.asText().getBytes(StandardCharsets.UTF_8);
  }
}
