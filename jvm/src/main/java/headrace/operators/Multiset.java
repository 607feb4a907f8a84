package headrace.operators;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * The rows of one group, each with its count, in the state store; and the changes of the batch under way, which become
 * part of it with `commit`. Rows are read from the store only when asked for, and only once a batch. A row that goes after
 * its time to live has ended is not there to be taken from.
 */
final class Multiset {
  private final MapState<byte[], Long> stored;
  private final Map<BytesKey, Long> changes = new HashMap<>();
  private Map<BytesKey, Long> before;
  private Map<BytesKey, Long> after;

  Multiset(String name, StatefulProcessorHandle handle, TTLConfig ttl) {
    stored = handle.getMapState(name, Encoders.BINARY(), Encoders.LONG(), ttl);
  }

  /** Turns to the group that the handle is at now. */
  void begin() {
    changes.clear();
    before = null;
    after = null;
  }

  void change(byte[] row, long weight) {
    changes.merge(new BytesKey(row), weight, (held, more) -> held + more == 0 ? null : held + more);
  }

  Map<BytesKey, Long> changes() {
    return changes;
  }

  /** Rows as the batch found them. */
  Map<BytesKey, Long> before() {
    if (before == null) {
      before = new HashMap<>();
      Iterator<Tuple2<byte[], Long>> entries = stored.iterator();
      while (entries.hasNext()) {
        Tuple2<byte[], Long> entry = entries.next();
        before.put(new BytesKey(entry._1()), entry._2());
      }
    }
    return before;
  }

  /** Rows as the batch leaves them. */
  Map<BytesKey, Long> after() {
    if (changes.isEmpty()) {
      return before();
    }
    if (after == null) {
      after = new HashMap<>(before());
      changes.forEach((row, weight) -> {
        long count = after.getOrDefault(row, 0L) + weight;
        if (count > 0) {
          after.put(row, count);
        } else {
          after.remove(row);
        }
      });
    }
    return after;
  }

  void commit() {
    changes.forEach((row, weight) -> {
      Long held = before == null ? stored.getValue(row.bytes) : before.get(row);
      long count = (held == null ? 0 : held) + weight;
      if (count > 0) {
        stored.updateValue(row.bytes, count);
      } else if (held != null) {
        stored.removeKey(row.bytes);
      }
    });
  }
}
