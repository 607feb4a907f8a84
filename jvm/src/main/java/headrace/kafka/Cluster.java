package headrace.kafka;

import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What a source asks its brokers while it runs, through one connection. The client itself tries again while they are away. */
final class Cluster implements AutoCloseable {
  /** Offsets of a topic that was deleted are asked for until the client gives up; after this long we ask for the topic. */
  private static final long USUAL_SECONDS = 3;

  private final Map<String, Object> properties;
  private final ListOffsetsOptions visible;
  private Admin admin;

  /** `properties` are a consumer's: what it would not see (transactions that are open) does not count as there. */
  Cluster(Map<String, ?> properties) {
    this.properties = new HashMap<>(properties);
    Object level = properties.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
    String name = level == null ? ConsumerConfig.DEFAULT_ISOLATION_LEVEL : level.toString();
    this.visible = new ListOffsetsOptions(IsolationLevel.valueOf(name.toUpperCase(Locale.ROOT)));
  }

  private synchronized Admin admin() {
    if (admin == null) {
      admin = Admin.create(properties);
    }
    return admin;
  }

  Set<String> topics() {
    return await(admin().listTopics().names());
  }

  /** Topics by name; one that does not exist is left out. */
  Map<String, TopicDescription> describe(Collection<String> names) {
    Map<String, TopicDescription> found = new TreeMap<>();
    admin().describeTopics(names).topicNameValues().forEach((name, answer) -> {
      try {
        found.put(name, await(answer));
      } catch (UnknownTopicOrPartitionException missing) {
        // Left out.
      }
    });
    return found;
  }

  Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec which) {
    Map<TopicPartition, Long> found = new HashMap<>();
    if (!partitions.isEmpty()) {
      Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
      partitions.forEach(partition -> wanted.put(partition, which));
      KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> answer = admin().listOffsets(wanted, visible).all();
      try {
        if (!comesSoon(answer)) {
          requireTopics(partitions);
        }
        await(answer).forEach((partition, info) -> found.put(partition, info.offset()));
      } catch (UnknownTopicOrPartitionException missing) {
        requireTopics(partitions);
        throw missing;
      }
    }
    return found;
  }

  private void requireTopics(Collection<TopicPartition> partitions) {
    Set<String> names = partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
    names.removeAll(describe(names).keySet());
    if (!names.isEmpty()) {
      throw SourceException.deleted(names.iterator().next());
    }
  }

  /** What the group has committed of these partitions. */
  Map<TopicPartition, Long> committed(String group, Collection<TopicPartition> partitions) {
    ListConsumerGroupOffsetsSpec wanted = new ListConsumerGroupOffsetsSpec().topicPartitions(partitions);
    Map<TopicPartition, Long> found = new HashMap<>();
    try {
      await(admin().listConsumerGroupOffsets(Map.of(group, wanted)).partitionsToOffsetAndMetadata(group))
          .forEach((partition, at) -> {
            if (at != null) {
              found.put(partition, at.offset());
            }
          });
    } catch (GroupAuthorizationException refused) {
      throw GroupAuthorizationException.forGroupId(group); // the broker does not repeat its name
    }
    return found;
  }

  /** Not awaited; the answer says how it went. */
  KafkaFuture<Void> commit(String group, Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
    offsets.forEach((partition, at) -> commits.put(partition, new OffsetAndMetadata(at)));
    return admin().alterConsumerGroupOffsets(group, commits).all();
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }

  private static boolean comesSoon(KafkaFuture<?> answer) {
    try {
      answer.get(USUAL_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException failure) {
      return true; // `await` tells it
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  private static <T> T await(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure.getCause());
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  /** Spark takes this one for the end of a query that was told to stop. */
  static RuntimeException interrupted(InterruptedException stopped) {
    Thread.currentThread().interrupt();
    InterruptedIOException told = new InterruptedIOException();
    told.initCause(stopped);
    return new UncheckedIOException(told);
  }
}
