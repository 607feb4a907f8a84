package headrace.kafka;

import headrace.formats.RecordException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Dead letters of one attempt of a task: the records as they were, with headers that say what was wrong with them. */
final class DeadLetters {
  private static final String HEADER = "headrace.errors.";

  private final String topic;
  private final Map<String, String> properties;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  DeadLetters(String topic, Map<String, String> properties) {
    this.topic = topic;
    this.properties = Map.copyOf(properties);
    this.producer = Producers.of(this.properties);
  }

  void send(ConsumerRecord<byte[], byte[]> record, RecordException reason) {
    Long timestamp = record.timestamp() < 0 ? null : record.timestamp();
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(topic, null, timestamp, record.key(), record.value(), headers(record, reason));
    try {
      producer.send(letter, (written, error) -> failure.compareAndSet(null, error));
    } catch (KafkaException refused) {
      throw failed(refused);
    }
  }

  /** Returns when the broker has acknowledged every letter; throws when it did not take one. */
  void await() {
    producer.flush();
    if (failure.get() != null) {
      throw failed(failure.get());
    }
  }

  private KafkaWriteException failed(Exception cause) {
    return Producers.failed(properties, producer, topic, cause);
  }

  private static RecordHeaders headers(ConsumerRecord<byte[], byte[]> record, RecordException reason) {
    RecordHeaders headers = new RecordHeaders(record.headers());
    add(headers, "topic", record.topic());
    add(headers, "partition", Integer.toString(record.partition()));
    add(headers, "offset", Long.toString(record.offset()));
    add(headers, "format", reason.format());
    add(headers, "part", reason.part());
    if (!reason.field().isEmpty()) {
      add(headers, "field", reason.field());
    }
    add(headers, "reason", reason.reason());
    return headers;
  }

  private static void add(RecordHeaders headers, String name, String text) {
    headers.add(HEADER + name, text.getBytes(StandardCharsets.UTF_8));
  }
}
