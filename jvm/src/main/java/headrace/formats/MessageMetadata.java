package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one field of a message says beside its rows, for the columns that ask for it. */
final class MessageMetadata {
  private static final long MICROS_PER_MILLI = 1_000L;
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int MICROSECONDS = 6;

  final String field;
  private final List<Integer> cells = new ArrayList<>();
  private final List<JsonValue> values = new ArrayList<>();

  private MessageMetadata(String field) {
    this.field = field;
  }

  /** By field of the message; `outside` asks for those beside the payload of a message with a schema. */
  static List<MessageMetadata> of(FormatSpec format, JsonValues values, boolean outside) {
    Map<String, MessageMetadata> fields = new LinkedHashMap<>();
    for (JsonNode node : format.metadata) {
      if (node.path("outside").asBoolean(false) == outside) {
        MessageMetadata found = fields.computeIfAbsent(node.get("field").asText(), MessageMetadata::new);
        found.cells.add(node.get("cell").asInt());
        found.values.add(value(node, values));
      }
    }
    return List.copyOf(fields.values());
  }

  /** Every value is read from the same place. */
  Object[] read(JsonCursor cursor) throws IOException {
    Object[] found = new Object[values.size()];
    cursor.peek();
    int start = cursor.position();
    for (int i = 0; i < found.length; i++) {
      cursor.moveTo(start);
      found[i] = values.get(i).read(cursor);
    }
    return found;
  }

  /** `found` is null for a message that lacks the field. */
  void put(Object[] found, Object[] row) {
    for (int i = 0; found != null && i < found.length; i++) {
      row[cells.get(i)] = found[i];
    }
  }

  private static JsonValue value(JsonNode node, JsonValues values) {
    JsonValue value = converted(node, values);
    List<String> names = new ArrayList<>();
    node.get("inside").forEach(name -> names.add(name.asText()));
    if (names.isEmpty()) {
      return value;
    }
    JsonObject object = new JsonObject(names, names.stream().map(name -> value).toList());
    return cursor -> {
      Object[] found = new Object[names.size()];
      if (!cursor.takesNull()) {
        object.read(cursor, found);
      }
      return firstOf(found);
    };
  }

  private static JsonValue converted(JsonNode node, JsonValues values) {
    JsonValue plain = values.of(FieldType.parse(node.get("type")));
    return switch (node.get("as").asText()) {
      case "value" -> plain;
      case "milliseconds" -> cursor -> scaled(plain.read(cursor), MICROS_PER_MILLI);
      case "seconds" -> cursor -> scaled(plain.read(cursor), MICROS_PER_SECOND);
      case "text" -> cursor -> instant(plain.read(cursor));
      default -> throw new IllegalArgumentException("no way to read metadata as " + node.get("as"));
    };
  }

  private static Object scaled(Object count, long micros) {
    return count == null ? null : (Object) Math.multiplyExact((Long) count, micros);
  }

  /** The text has no zone: it is UTC. Day and time have a blank or a T between them, as GoldenGate is set up. */
  private static Object instant(Object text) {
    if (text == null) {
      return null;
    }
    return TimeText.sql().timestamp(text.toString().replace('T', ' '), MICROSECONDS);
  }

  private static Object firstOf(Object[] found) {
    for (Object value : found) {
      if (value != null) {
        return value;
      }
    }
    return null;
  }
}
