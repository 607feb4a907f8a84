package headrace.kafka;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** The partitions to read, looked for when a job starts and then as often as it is told to. */
final class Discovery {
  private final Cluster cluster;
  private final ScanSpec spec;
  private final Map<String, Uuid> ids = new HashMap<>();
  private final Set<String> madeAnew = new HashSet<>();
  private SortedSet<TopicPartition> partitions;
  private long looked;

  Discovery(Cluster cluster, ScanSpec spec) {
    this.cluster = cluster;
    this.spec = spec;
  }

  SortedSet<TopicPartition> partitions() {
    if (partitions == null || spec.discoveryMillis() > 0 && isDue()) {
      looked = System.nanoTime();
      partitions = found();
    }
    return Collections.unmodifiableSortedSet(partitions);
  }

  /** What was found is no longer so. */
  void lookAgain() {
    partitions = null;
  }

  private boolean isDue() {
    return System.nanoTime() - looked >= TimeUnit.MILLISECONDS.toNanos(spec.discoveryMillis());
  }

  private SortedSet<TopicPartition> found() {
    Map<String, TopicDescription> topics = cluster.describe(names());
    topics.forEach(this::checkSame);
    SortedSet<TopicPartition> all = new TreeSet<>(TopicOffsets.ORDER);
    topics.forEach((name, topic) ->
        topic.partitions().forEach(partition -> all.add(new TopicPartition(name, partition.partition()))));
    return all;
  }

  private Collection<String> names() {
    if (spec.pattern() == null) {
      return spec.topics();
    }
    return cluster.topics().stream().filter(name -> spec.pattern().matcher(name).matches()).toList();
  }

  /** A topic that was deleted and made again has another id, and offsets of the old one mean nothing in it. */
  private void checkSame(String name, TopicDescription topic) {
    Uuid before = ids.put(name, topic.topicId());
    if (before != null && !before.equals(topic.topicId())) {
      if (!spec.goesOn()) {
        throw SourceException.madeAnew(name);
      }
      madeAnew.add(name);
    }
  }

  /** Topics that are to be read from their beginning, since they are others than before; told once. */
  Set<String> takeMadeAnew() {
    Set<String> topics = Set.copyOf(madeAnew);
    madeAnew.clear();
    return topics;
  }
}
