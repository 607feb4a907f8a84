package headrace.kafka;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** From where to where each partition is read; one without a usable place is read from its beginning. */
final class BatchPlan {
  private final Cluster cluster;
  private final Set<String> madeAnew;

  /** Places in topics that are made anew are not usable. */
  BatchPlan(Cluster cluster, Set<String> madeAnew) {
    this.cluster = cluster;
    this.madeAnew = madeAnew;
  }

  /** Of the partitions in `until`, those that have anything to read, in their order. */
  List<SourceTask.Range> ranges(TopicOffsets from, TopicOffsets until) {
    Map<TopicPartition, Long> first = firstOfNew(from, until);
    List<SourceTask.Range> ranges = new ArrayList<>();
    until.all().forEach((partition, end) -> {
      long begin = first.containsKey(partition) ? first.get(partition) : from.at(partition);
      if (begin < end) {
        ranges.add(new SourceTask.Range(partition, begin, end));
      }
    });
    return ranges;
  }

  private Map<TopicPartition, Long> firstOfNew(TopicOffsets from, TopicOffsets until) {
    Set<TopicPartition> fresh = new HashSet<>();
    until.all().forEach((partition, end) -> {
      Long known = from.at(partition);
      if (known == null || known > end || madeAnew.contains(partition.topic())) {
        fresh.add(partition);
      }
    });
    return cluster.offsets(fresh, OffsetSpec.earliest());
  }
}
