package headrace.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a group, each with the numbers under which its copies arrived, oldest first. A batch touches only the
 * values it brings or takes; all are looked through when the one at the end goes.
 */
final class ArrivalOrders {
  private final KeptEndAccumulator end;
  private final int slot;
  private final GroupMap orders;

  ArrivalOrders(AggregateCall call, GroupStates states, long ttlMillis) {
    end = (KeptEndAccumulator) call.accumulator();
    slot = call.slot();
    orders = states.map("orders" + slot, ttlMillis);
  }

  /** Takes over the batch's changes; of equal values the oldest goes. */
  void apply(Object[] state) {
    Map<BytesKey, List<Long>> touched = new LinkedHashMap<>();
    boolean[] stale = {false};
    end.changes(state, slot).forEachChange((value, weight) -> {
      List<Long> held = touched.computeIfAbsent(new BytesKey(value), key -> load(key.bytes));
      if (weight > 0) {
        held.add(end.nextOrder(state, slot));
        end.offer(state, slot, value, held.get(held.size() - 1));
      } else {
        List<Long> gone = held.subList(0, (int) Math.min(-weight, held.size()));
        stale[0] |= gone.stream().anyMatch(order -> end.is(state, slot, order));
        gone.clear();
      }
    });
    touched.forEach((value, held) -> store(value.bytes, held));
    end.clearChanges(state, slot);
    if (stale[0]) {
      findAgain(state);
    }
  }

  private void findAgain(Object[] state) {
    end.forget(state, slot);
    orders.forEach((value, stored) -> end.offer(state, slot, value, end.endOf(read(stored))));
  }

  private List<Long> load(byte[] value) {
    byte[] stored = orders.get(value);
    return stored == null ? new ArrayList<>() : read(stored);
  }

  private static List<Long> read(byte[] stored) {
    List<Long> held = new ArrayList<>(stored.length / Long.BYTES + 1);
    ByteBuffer in = ByteBuffer.wrap(stored);
    while (in.hasRemaining()) {
      held.add(in.getLong());
    }
    return held;
  }

  private void store(byte[] value, List<Long> held) {
    if (held.isEmpty()) {
      orders.remove(value);
      return;
    }
    ByteBuffer out = ByteBuffer.allocate(held.size() * Long.BYTES);
    held.forEach(out::putLong);
    orders.put(value, out.array());
  }

  void clear() {
    orders.clear();
  }
}
