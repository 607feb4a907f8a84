package headrace.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Up to where a batch can read. Ends are places, not records: what compaction or transactions left out is passed over. */
final class Ends {
  /** A broker may answer with an older end right after it has taken over a partition; it knows better within a second or two. */
  private static final int ATTEMPTS = 3;

  private static final long SECOND = 1000;

  /** Between two looks for records that are yet to come; as soon as a person would notice. */
  private static final long LOOK_AGAIN_MILLIS = 200;

  private final Cluster cluster;
  private final Discovery discovery;
  private final ScanSpec spec;
  private final KeptOffsets kept;
  private TopicOffsets seen;
  private TopicOffsets allNow;

  Ends(Cluster cluster, Discovery discovery, ScanSpec spec, KeptOffsets kept) {
    this.cluster = cluster;
    this.discovery = discovery;
    this.spec = spec;
    this.kept = kept;
  }

  /** The ends that the brokers told last; null before. */
  TopicOffsets seen() {
    return seen;
  }

  /** The records that are there now; with `once` those that were there at the first look. */
  TopicOffsets latest(TopicOffsets done, boolean once) {
    if (allNow != null) {
      return allNow;
    }
    SortedSet<TopicPartition> partitions = discovery.partitions();
    requireAll(done, partitions);
    try {
      TopicOffsets now = ask(done, partitions);
      allNow = once ? now : null;
      return now;
    } catch (SourceException deleted) {
      if (!spec.goesOn()) {
        throw deleted;
      }
      discovery.lookAgain();
      return done;
    }
  }

  /** As far as the fixed end. With `wait` not before there is more to read, or nothing more to come. */
  TopicOffsets bounded(TopicOffsets done, boolean wait) {
    TopicOffsets end = kept.orElse(() -> spec.end().resolve(cluster, discovery.partitions()));
    SortedSet<TopicPartition> unread = unread(done, end);
    TopicOffsets next = toward(done, end, ask(done, unread));
    while (wait && next.equals(done) && !unread.isEmpty()) {
      pause(LOOK_AGAIN_MILLIS);
      next = toward(done, end, ask(done, unread));
    }
    return next;
  }

  private static SortedSet<TopicPartition> unread(TopicOffsets done, TopicOffsets end) {
    SortedSet<TopicPartition> unread = new TreeSet<>(TopicOffsets.ORDER);
    end.all().forEach((partition, last) -> {
      Long at = done.at(partition);
      if (at == null || at < last) {
        unread.add(partition);
      }
    });
    return unread;
  }

  private static TopicOffsets toward(TopicOffsets done, TopicOffsets end, TopicOffsets now) {
    Map<TopicPartition, Long> next = new HashMap<>(done.all());
    now.all().forEach((partition, there) -> next.put(partition, Math.min(there, end.at(partition))));
    return new TopicOffsets(next);
  }

  private TopicOffsets ask(TopicOffsets done, SortedSet<TopicPartition> partitions) {
    Map<TopicPartition, Long> now = cluster.offsets(partitions, OffsetSpec.latest());
    for (int attempt = 1; attempt < ATTEMPTS && behind(done, now) != null; attempt++) {
      pause(SECOND);
      now = cluster.offsets(partitions, OffsetSpec.latest());
    }
    TopicPartition lost = behind(done, now);
    if (lost != null && !spec.goesOn()) {
      long first = cluster.offsets(Set.of(lost), OffsetSpec.earliest()).get(lost);
      throw SourceException.gone(lost, done.at(lost), first, now.get(lost), null);
    }
    seen = new TopicOffsets(now);
    return seen;
  }

  /** A partition that ends before the place that was reached in it. */
  private static TopicPartition behind(TopicOffsets done, Map<TopicPartition, Long> now) {
    return now.keySet().stream()
        .filter(partition -> done.at(partition) != null && done.at(partition) > now.get(partition))
        .min(TopicOffsets.ORDER)
        .orElse(null);
  }

  private void requireAll(TopicOffsets done, SortedSet<TopicPartition> partitions) {
    for (TopicPartition known : done.partitions()) {
      if (!partitions.contains(known) && !spec.goesOn()) {
        throw SourceException.deleted(known.topic());
      }
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stopped) {
      throw Cluster.interrupted(stopped);
    }
  }
}
