package headrace.connect;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.unsafe.types.UTF8String;

/** Values without a schema: maps, lists, strings, booleans, longs and doubles, carried between steps as JSON text. */
final class JsonTree {
  static final ObjectMapper MAPPER = JsonMapper.builder()
      // Whole numbers that no double holds keep their digits until the schema says what they are.
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      // As Kafka's own deserializer reads: 007 is seven, and nobody looks past the first value.
      .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private JsonTree() {}

  /** Objects as Connect makes them of bytes: it keeps them in hash maps, so that their order is that of hash maps. */
  static Object ofBytes(JsonNode node) {
    return of(node, HashMap::new);
  }

  static Object ofText(UTF8String text) {
    if (text == null) {
      return null;
    }
    try {
      return of(MAPPER.readTree(text.toString()), LinkedHashMap::new);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  static UTF8String text(Object value) {
    try {
      return value == null ? null : UTF8String.fromBytes(MAPPER.writeValueAsBytes(value));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  private static Object of(JsonNode node, Supplier<Map<String, Object>> maps) {
    return switch (node.getNodeType()) {
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
      case STRING -> node.textValue();
      case ARRAY -> list(node, maps);
      case OBJECT -> map(node, maps);
      default -> null;
    };
  }

  private static List<Object> list(JsonNode node, Supplier<Map<String, Object>> maps) {
    List<Object> result = new ArrayList<>(node.size());
    node.forEach(element -> result.add(of(element, maps)));
    return result;
  }

  private static Map<String, Object> map(JsonNode node, Supplier<Map<String, Object>> maps) {
    Map<String, Object> result = maps.get();
    node.properties().forEach(entry -> result.put(entry.getKey(), of(entry.getValue(), maps)));
    return result;
  }
}
