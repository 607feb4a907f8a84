package headrace.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** How tasks read: the properties of their consumers, and what they do about records that are gone. Never printed: it has secrets. */
final class ConsumerSettings implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Far longer than a broker takes to move a partition; then the task fails and is tried again. */
  static final long POLL_MILLIS = 120_000;

  private final HashMap<String, Object> properties;
  final boolean failsOnLoss;

  private ConsumerSettings(HashMap<String, Object> properties, boolean failsOnLoss) {
    this.properties = properties;
    this.failsOnLoss = failsOnLoss;
  }

  /** `json` has the table's properties. Offsets are ours to keep, so the consumers commit and reset nothing. */
  static ConsumerSettings parse(String json, boolean failsOnLoss) {
    HashMap<String, Object> properties = new HashMap<>(given(json));
    properties.putIfAbsent(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    properties.putIfAbsent(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    // Spark keeps consumers by group and partition; sources with other properties must not get each other's.
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, "headrace-" + UUID.randomUUID());
    return new ConsumerSettings(properties, failsOnLoss);
  }

  /** Of the table, as an admin client takes them too. */
  static Map<String, String> given(String json) {
    try {
      return new ObjectMapper().readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException failure) {
      failure.clearLocation(); // its text would show the properties
      throw new IllegalArgumentException("properties of the consumer are not JSON");
    }
  }

  Map<String, Object> properties() {
    return properties;
  }
}
