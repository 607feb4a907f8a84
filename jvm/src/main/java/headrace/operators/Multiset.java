package headrace.operators;

import java.util.HashMap;
import java.util.Map;

/**
 * The rows of one group, each with its count, in the state store; and the changes of the batch under way, which become
 * part of it with `commit`. Rows are read from the store only when asked for, and only once a batch. A row that goes after
 * its time to live has ended is not there to be taken from.
 */
final class Multiset {
  private final GroupMap stored;
  private final Map<BytesKey, Long> changes = new HashMap<>();
  private Map<BytesKey, Long> before;
  private Map<BytesKey, Long> after;

  Multiset(GroupMap stored) {
    this.stored = stored;
  }

  /** Turns to the group that the state is at now. */
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
      stored.forEach((row, count) -> before.put(new BytesKey(row), GroupMap.asCount(count)));
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
      long held = before == null ? stored.count(row.bytes) : before.getOrDefault(row, 0L);
      long count = held + weight;
      if (count > 0) {
        stored.putCount(row.bytes, count);
      } else if (held > 0) {
        stored.remove(row.bytes);
      }
    });
  }
}
