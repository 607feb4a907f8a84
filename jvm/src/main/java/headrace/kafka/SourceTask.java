package headrace.kafka;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.connector.read.InputPartition;

/** The part of a batch that one task reads, one partition after the other: records of a partition keep their order. */
record SourceTask(List<Range> ranges) implements InputPartition {
  /** Offsets of one partition; `until` is exclusive. */
  record Range(TopicPartition partition, long from, long until) implements Serializable {}

  /** At most `parallelism` tasks, or one per range where that is 0. */
  static InputPartition[] of(List<Range> ranges, int parallelism) {
    int count = parallelism == 0 ? ranges.size() : Math.min(parallelism, ranges.size());
    SourceTask[] tasks = new SourceTask[count];
    for (int i = 0; i < count; i++) {
      List<Range> own = new ArrayList<>();
      for (int j = i; j < ranges.size(); j += count) {
        own.add(ranges.get(j));
      }
      tasks[i] = new SourceTask(own);
    }
    return tasks;
  }
}
