package headrace.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;
import java.util.HashMap;

/** Where dead letters go: a topic and the properties of its producer. */
final class DeadLetterTopic implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final HashMap<String, String> properties = new HashMap<>();

  DeadLetterTopic(String topic, String properties) {
    this.topic = topic;
    try {
      JsonNode given = new ObjectMapper().readTree(properties);
      given.properties().forEach(entry -> this.properties.put(entry.getKey(), entry.getValue().asText()));
    } catch (JsonProcessingException failure) {
      throw new IllegalArgumentException("the properties of the producer are not JSON", failure);
    }
  }

  DeadLetters open() {
    return new DeadLetters(topic, properties);
  }
}
