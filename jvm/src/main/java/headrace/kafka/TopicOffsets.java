package headrace.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** The next offset of every partition that is read; as JSON in the form that Spark's own Kafka source keeps too. */
final class TopicOffsets extends Offset {
  static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final TreeMap<TopicPartition, Long> next = new TreeMap<>(ORDER);

  TopicOffsets(Map<TopicPartition, Long> next) {
    this.next.putAll(next);
  }

  static TopicOffsets of(Offset offset) {
    return offset instanceof TopicOffsets known ? known : parse(offset.json());
  }

  static TopicOffsets parse(String json) {
    try {
      Map<TopicPartition, Long> found = new TreeMap<>(ORDER);
      JSON.readValue(json, new TypeReference<Map<String, Map<Integer, Long>>>() {})
          .forEach((topic, offsets) -> offsets.forEach((number, at) -> found.put(new TopicPartition(topic, number), at)));
      return new TopicOffsets(found);
    } catch (JsonProcessingException failure) {
      throw new IllegalArgumentException("not offsets of topics: " + json, failure);
    }
  }

  SortedMap<TopicPartition, Long> all() {
    return Collections.unmodifiableSortedMap(next);
  }

  SortedSet<TopicPartition> partitions() {
    return Collections.unmodifiableSortedSet(next.navigableKeySet());
  }

  /** Null where the partition is not known. */
  Long at(TopicPartition partition) {
    return next.get(partition);
  }

  boolean isEmpty() {
    return next.isEmpty();
  }

  @Override
  public String json() {
    Map<String, Map<Integer, Long>> topics = new TreeMap<>();
    next.forEach((partition, at) ->
        topics.computeIfAbsent(partition.topic(), name -> new TreeMap<>()).put(partition.partition(), at));
    try {
      return JSON.writeValueAsString(topics);
    } catch (JsonProcessingException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
