package headrace.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * How often each value of one argument occurs in a group, kept in the state store and shared by all calls over that
 * argument. The calls hear only of values that appear or vanish.
 */
final class CountedValues {
  private final List<AggregateCall> calls;
  private final DataType type;
  private final GroupMap counts;

  CountedValues(int number, List<AggregateCall> calls, GroupStates states, long ttlMillis) {
    this.calls = calls;
    this.type = calls.get(0).valueType();
    this.counts = states.map("values" + number, ttlMillis);
  }

  void apply(Object[] state, int number, ValueChanges changes, boolean isNew) {
    List<AggregateCall> stale = new ArrayList<>();
    changes.forEach(number, (value, change) -> apply(state, value, value, change, isNew, stale));
    if (!stale.isEmpty()) {
      findAgain(state, stale);
    }
  }

  /** Where several groups share the counts; no packed group begins with another, so that a key means one value. */
  void applyWithin(byte[] group, Object[] state, int number, ValueChanges changes, boolean isNew) {
    changes.forEach(number, (value, change) -> {
      byte[] key = Arrays.copyOf(group, group.length + value.length);
      System.arraycopy(value, 0, key, group.length, value.length);
      apply(state, key, value, change, isNew, List.of());
    });
  }

  private void apply(Object[] state, byte[] key, byte[] value, long change, boolean isNew, List<AggregateCall> stale) {
    long before = isNew ? 0 : counts.count(key);
    long after = before + change;
    if (after == 0) {
      counts.remove(key);
    } else {
      counts.putCount(key, after);
    }
    if (before <= 0 && after > 0) {
      Object appeared = ValueChanges.value(value, type);
      calls.forEach(call -> call.accumulator().add(state, call.slot(), appeared, 1L));
    } else if (before > 0 && after <= 0) {
      Object vanished = ValueChanges.value(value, type);
      calls.forEach(call -> vanish(state, call, vanished, stale));
    }
  }

  private static void vanish(Object[] state, AggregateCall call, Object value, List<AggregateCall> stale) {
    if (!(call.accumulator() instanceof ExtremeAccumulator extreme)) {
      call.accumulator().add(state, call.slot(), value, -1L);
    } else if (extreme.is(state, call.slot(), value) && !stale.contains(call)) {
      stale.add(call);
    }
  }

  private void findAgain(Object[] state, List<AggregateCall> stale) {
    stale.forEach(call -> call.accumulator().start(state, call.slot()));
    counts.forEach((packed, count) -> {
      if (GroupMap.asCount(count) > 0) {
        Object value = ValueChanges.value(packed, type);
        stale.forEach(call -> call.accumulator().add(state, call.slot(), value, 1L));
      }
    });
  }

  void clear() {
    counts.clear();
  }
}
