package headrace.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A place in every partition, at which a job starts or ends.
 *
 * @param millis the time of {@link Kind#TIMESTAMP}
 * @param offsets by partition, of {@link Kind#OFFSETS}
 * @param group whose commits count; null where there is none
 * @param otherwise for a partition without a usable commit: `earliest`, `latest`, or `none`, which is an error
 */
record Position(Kind kind, long millis, Map<Integer, Long> offsets, String group, String otherwise) {
  enum Kind {
    EARLIEST,
    LATEST,
    TIMESTAMP,
    COMMITTED,
    OFFSETS
  }

  /** Kafka's answer where no record is as young as a time. */
  private static final long NO_RECORD = -1L;

  static Position parse(JsonNode node) {
    Map<Integer, Long> offsets = new HashMap<>();
    node.path("offsets").properties()
        .forEach(entry -> offsets.put(Integer.valueOf(entry.getKey()), entry.getValue().asLong()));
    return new Position(
        Kind.valueOf(node.get("at").asText().toUpperCase(Locale.ROOT)),
        node.path("millis").asLong(),
        offsets,
        node.hasNonNull("group") ? node.get("group").asText() : null,
        node.path("otherwise").asText("earliest"));
  }

  TopicOffsets resolve(Cluster cluster, SortedSet<TopicPartition> partitions) {
    return new TopicOffsets(switch (kind) {
      case EARLIEST -> cluster.offsets(partitions, OffsetSpec.earliest());
      case LATEST -> cluster.offsets(partitions, OffsetSpec.latest());
      case TIMESTAMP -> atTime(cluster, partitions);
      case COMMITTED -> committed(cluster, partitions);
      case OFFSETS -> given(cluster, partitions);
    });
  }

  /**
   * Where reading begins. At a given offset whose record has expired, or that no record has reached yet, Kafka's consumer goes to the
   * beginning; one past the end of a bounded source means that there is nothing to read.
   */
  TopicOffsets resolveStart(Cluster cluster, SortedSet<TopicPartition> partitions, boolean bounded) {
    TopicOffsets found = resolve(cluster, partitions);
    if (kind != Kind.OFFSETS) {
      return found;
    }
    Map<TopicPartition, Long> first = cluster.offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> end = cluster.offsets(partitions, OffsetSpec.latest());
    Map<TopicPartition, Long> usable = new HashMap<>(found.all());
    usable.replaceAll((partition, at) -> {
      boolean past = at > end.get(partition) && !bounded;
      return at < first.get(partition) || past ? first.get(partition) : at;
    });
    return new TopicOffsets(usable);
  }

  /** The end of a partition all of whose records are older. */
  private Map<TopicPartition, Long> atTime(Cluster cluster, Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> found = cluster.offsets(partitions, OffsetSpec.forTimestamp(millis));
    Set<TopicPartition> older = sorted();
    found.forEach((partition, at) -> {
      if (at == NO_RECORD) {
        older.add(partition);
      }
    });
    found.putAll(cluster.offsets(older, OffsetSpec.latest()));
    return found;
  }

  private Map<TopicPartition, Long> committed(Cluster cluster, Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> found = cluster.committed(group, partitions);
    if (otherwise.equals("none")) {
      for (TopicPartition partition : partitions) {
        if (!found.containsKey(partition)) {
          throw SourceException.neverCommitted(group, partition);
        }
      }
      return found;
    }
    Set<TopicPartition> elsewhere = sorted();
    elsewhere.addAll(partitions);
    elsewhere.removeAll(inRange(cluster, found));
    OffsetSpec place = otherwise.equals("latest") ? OffsetSpec.latest() : OffsetSpec.earliest();
    found.putAll(cluster.offsets(elsewhere, place));
    return found;
  }

  /** A commit whose record has expired, or that is of an earlier topic of the name, is none. */
  private static Set<TopicPartition> inRange(Cluster cluster, Map<TopicPartition, Long> commits) {
    Map<TopicPartition, Long> first = cluster.offsets(commits.keySet(), OffsetSpec.earliest());
    Map<TopicPartition, Long> end = cluster.offsets(commits.keySet(), OffsetSpec.latest());
    Set<TopicPartition> usable = sorted();
    commits.forEach((partition, at) -> {
      if (at >= first.get(partition) && at <= end.get(partition)) {
        usable.add(partition);
      }
    });
    return usable;
  }

  private Map<TopicPartition, Long> given(Cluster cluster, Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> found = new HashMap<>();
    Set<TopicPartition> others = sorted();
    for (TopicPartition partition : partitions) {
      Long at = offsets.get(partition.partition());
      if (at == null) {
        others.add(partition);
      } else {
        found.put(partition, at);
      }
    }
    if (group != null) {
      found.putAll(cluster.committed(group, others));
      others.removeAll(found.keySet());
    }
    found.putAll(cluster.offsets(others, OffsetSpec.earliest()));
    return found;
  }

  private static Set<TopicPartition> sorted() {
    return new TreeSet<>(TopicOffsets.ORDER);
  }
}
