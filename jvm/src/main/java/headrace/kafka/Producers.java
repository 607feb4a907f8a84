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
public final class Producers {
  private static final Map<Map<String, String>, KafkaProducer<byte[], byte[]>> OPEN = new ConcurrentHashMap<>();

  private Producers() {}

  static KafkaProducer<byte[], byte[]> of(Map<String, String> properties) {
    return OPEN.computeIfAbsent(properties, Producers::open);
  }

  /** A producer that failed may be unusable for good, so that the next attempt takes a new one. */
  static void discard(Map<String, String> properties, KafkaProducer<byte[], byte[]> producer) {
    if (OPEN.remove(properties, producer)) {
      producer.close(Duration.ZERO);
    }
  }

  /** Closes all; for the end of a session. */
  public static void closeAll() {
    OPEN.forEach(Producers::discard);
  }

  private static KafkaProducer<byte[], byte[]> open(Map<String, String> properties) {
    return new KafkaProducer<>(
        new HashMap<String, Object>(properties), new ByteArraySerializer(), new ByteArraySerializer());
  }
}
