package headrace.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What the driver asks a cluster; texts in and out are JSON, so that one call is one round trip from Python. */
public final class KafkaAdmin {
  private static final ObjectMapper JSON = new ObjectMapper();

  private KafkaAdmin() {}

  /** Names of the topics that a regular expression matches whole; Kafka's own are left out. */
  public static String topics(String properties, String pattern) throws Exception {
    Pattern wanted = Pattern.compile(pattern);
    return ask(properties, admin -> admin.listTopics().names().get().stream()
        .filter(name -> wanted.matcher(name).matches())
        .toList());
  }

  /** Creates a topic unless it exists; says whether it did. -1 partitions leave the number to the broker. */
  public static boolean create(String properties, String topic, int partitions, String config) throws Exception {
    Optional<Integer> count = partitions < 0 ? Optional.empty() : Optional.of(partitions);
    NewTopic wanted = new NewTopic(topic, count, Optional.empty()).configs(map(config));
    try (Admin admin = open(properties)) {
      return unless(TopicExistsException.class, admin.createTopics(List.of(wanted)).all(), created -> true, false);
    }
  }

  /** Number of partitions of each topic that exists. */
  public static String partitions(String properties, String topics) throws Exception {
    return ask(properties, admin -> {
      Map<String, Integer> counts = new TreeMap<>();
      describe(admin, list(topics)).forEach((name, topic) -> counts.put(name, topic.partitions().size()));
      return counts;
    });
  }

  /** Identifier of each topic that exists: one that was deleted and made again has another. */
  public static String topicIds(String properties, String topics) throws Exception {
    return ask(properties, admin -> {
      Map<String, String> ids = new TreeMap<>();
      describe(admin, list(topics)).forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
      return ids;
    });
  }

  /** All settings of a topic, the broker's defaults included. */
  public static String config(String properties, String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return ask(properties, admin -> {
      Map<String, String> values = new TreeMap<>();
      admin.describeConfigs(List.of(resource)).all().get().get(resource).entries().stream()
          .filter(entry -> entry.value() != null && !entry.isSensitive())
          .forEach(entry -> values.put(entry.name(), entry.value()));
      return values;
    });
  }

  /** Offsets by topic and partition, `earliest` or `latest`. */
  public static String offsets(String properties, String topics, String which) throws Exception {
    OffsetSpec wanted = which.equals("earliest") ? OffsetSpec.earliest() : OffsetSpec.latest();
    return ask(properties, admin -> {
      Map<TopicPartition, OffsetSpec> query = new HashMap<>();
      describe(admin, list(topics)).forEach((name, topic) -> topic.partitions()
          .forEach(partition -> query.put(new TopicPartition(name, partition.partition()), wanted)));
      Offsets found = new Offsets();
      admin.listOffsets(query).all().get().forEach((partition, info) -> found.put(partition, info.offset()));
      return found.byTopic;
    });
  }

  private static Map<String, TopicDescription> describe(Admin admin, Collection<String> names) throws Exception {
    Map<String, TopicDescription> found = new TreeMap<>();
    for (var entry : admin.describeTopics(names).topicNameValues().entrySet()) {
      unless(UnknownTopicOrPartitionException.class, entry.getValue(), topic -> found.put(entry.getKey(), topic), null);
    }
    return found;
  }

  private static <T, R> R unless(
      Class<? extends Exception> expected, KafkaFuture<T> answer, Function<T, R> use, R otherwise)
      throws Exception {
    try {
      return use.apply(answer.get());
    } catch (ExecutionException failure) {
      if (expected.isInstance(failure.getCause())) {
        return otherwise;
      }
      throw failure;
    }
  }

  private static String ask(String properties, Question question) throws Exception {
    try (Admin admin = open(properties)) {
      return JSON.writeValueAsString(question.answer(admin));
    }
  }

  private static Admin open(String properties) throws JsonProcessingException {
    return Admin.create(new HashMap<String, Object>(map(properties)));
  }

  private static Map<String, String> map(String json) throws JsonProcessingException {
    return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
  }

  private static List<String> list(String json) throws JsonProcessingException {
    return JSON.readValue(json, new TypeReference<List<String>>() {});
  }

  private interface Question {
    Object answer(Admin admin) throws Exception;
  }

  private static final class Offsets {
    final Map<String, Map<Integer, Long>> byTopic = new TreeMap<>();

    void put(TopicPartition partition, long offset) {
      byTopic.computeIfAbsent(partition.topic(), name -> new TreeMap<>()).put(partition.partition(), offset);
    }
  }
}
