package headrace.operators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.streaming.TTLConfig;

/** Reads the JSON by which the planner tells an operator what to do. */
final class Spec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Spec() {}

  static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException("operator spec is not JSON: " + text, error);
    }
  }

  static List<String> strings(JsonNode array) {
    List<String> values = new ArrayList<>();
    array.forEach(item -> values.add(item.asText()));
    return values;
  }

  static double[] doubles(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).mapToDouble(JsonNode::asDouble).toArray();
  }

  static TTLConfig ttl(long millis) {
    return millis > 0 ? new TTLConfig(Duration.ofMillis(millis)) : TTLConfig.NONE();
  }
}
