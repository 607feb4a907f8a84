package headrace.kafka;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.spark.TaskContext;

/** Where a sink's records go: one topic, or one of several that each row names, and a partition where the sink chooses it. */
final class Destination implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> topics;
  private final Pattern pattern;
  private final boolean fixedPartition;

  Destination(List<String> topics, String pattern, boolean fixedPartition) {
    this.topics = new ArrayList<>(topics);
    this.pattern = pattern == null ? null : Pattern.compile(pattern);
    this.fixedPartition = fixedPartition;
  }

  /** For messages. */
  String name() {
    return pattern == null ? String.join(";", topics) : pattern.pattern();
  }

  ProducerRecord<byte[], byte[]> record(Outgoing change, byte[] value, KafkaProducer<byte[], byte[]> producer) {
    String topic = topicOf(change);
    Integer partition = fixedPartition ? ownPartition(topic, producer) : change.partition;
    return new ProducerRecord<>(topic, partition, change.timestamp, change.key, value, change.headers);
  }

  private String topicOf(Outgoing change) {
    if (pattern == null && topics.size() == 1) {
      return topics.get(0);
    }
    boolean known = change.topic != null
        && (pattern == null ? topics.contains(change.topic) : pattern.matcher(change.topic).matches());
    if (!known) {
      throw new IllegalStateException("WRONG_TOPIC " + (pattern == null ? "topic" : "topic-pattern") + "=" + name()
          + " found=" + (change.topic == null ? "NULL" : "'" + change.topic + "'"));
    }
    return change.topic;
  }

  private static Integer ownPartition(String topic, KafkaProducer<byte[], byte[]> producer) {
    return TaskContext.getPartitionId() % producer.partitionsFor(topic).size();
  }
}
