package headrace.kafka;

import java.util.LongSummaryStatistics;
import java.util.Map;

/** How many records lie between what a job has read and what is there, under the names of Spark's own Kafka source. */
final class Lag {
  private Lag() {}

  static Map<String, String> metrics(TopicOffsets read, TopicOffsets there) {
    LongSummaryStatistics behind = new LongSummaryStatistics();
    there.all().forEach((partition, end) -> {
      Long at = read.at(partition);
      behind.accept(at == null ? 0 : Math.max(0, end - at));
    });
    if (behind.getCount() == 0) {
      return Map.of();
    }
    return Map.of(
        "minOffsetsBehindLatest", Long.toString(behind.getMin()),
        "maxOffsetsBehindLatest", Long.toString(behind.getMax()),
        "avgOffsetsBehindLatest", Double.toString(behind.getAverage()));
  }
}
