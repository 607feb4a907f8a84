package headrace.kafka;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;

/**
 * How many records of each partition a query went on without, by `topic/partition`. Spark adds up what successful task
 * attempts counted; a topic's name has no slash.
 */
final class SkippedRecords extends AccumulatorV2<String, Map<String, Long>> {
  private static final long serialVersionUID = 1L;

  private final TreeMap<String, Long> counts = new TreeMap<>();

  private SkippedRecords() {}

  /** A counter that the running session adds up. */
  static SkippedRecords registered() {
    SkippedRecords counter = new SkippedRecords();
    SparkSession.active().sparkContext().register(counter);
    return counter;
  }

  @Override
  public synchronized boolean isZero() {
    return counts.isEmpty();
  }

  @Override
  public synchronized SkippedRecords copy() {
    SkippedRecords other = new SkippedRecords();
    other.counts.putAll(counts);
    return other;
  }

  @Override
  public synchronized void reset() {
    counts.clear();
  }

  @Override
  public synchronized void add(String place) {
    counts.merge(place, 1L, Long::sum);
  }

  @Override
  public synchronized void merge(AccumulatorV2<String, Map<String, Long>> other) {
    other.value().forEach((place, count) -> counts.merge(place, count, Long::sum));
  }

  @Override
  public synchronized Map<String, Long> value() {
    return new TreeMap<>(counts);
  }
}
