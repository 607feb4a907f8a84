package headrace.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One producer per configuration and JVM: connecting anew in every task of every batch would cost more than writing.
 */
final class Producers {
  private static final Map<Map<String, String>, KafkaProducer<byte[], byte[]>> OPEN = new ConcurrentHashMap<>();

  private Producers() {}

  static KafkaProducer<byte[], byte[]> of(Map<String, String> properties) {
    return OPEN.computeIfAbsent(properties, Producers::open);
  }

  /** A producer of nobody else's. */
  static KafkaProducer<byte[], byte[]> open(Map<String, String> properties) {
    return new KafkaProducer<>(
        new HashMap<String, Object>(properties), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Nobody writes by these properties any more. What is on its way is given up: who ends has waited for what counts. */
  static void end(Map<String, String> properties) {
    KafkaProducer<byte[], byte[]> left = OPEN.remove(properties);
    if (left != null) {
      left.close(Duration.ZERO);
    }
  }

  /**
   * What to throw when a write failed. The producer may be unusable for good, so that the next attempt takes a new one.
   */
  static KafkaWriteException failed(
      Map<String, String> properties, KafkaProducer<byte[], byte[]> producer, String topic, Exception cause) {
    if (producer != null && OPEN.remove(properties, producer)) {
      producer.close(Duration.ZERO);
    }
    return new KafkaWriteException(topic, properties.get("bootstrap.servers"), cause);
  }
}
