package headrace.operators;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * Every copy of every value. Of equal values the oldest goes first; therefore it does not matter when within a batch,
 * nor in which task, a value is taken away: what is left is always the newest of its copies.
 */
final class ArrivalBag extends Bag {
  private List<byte[]> arrived = new ArrayList<>();
  private final Map<BytesKey, Long> gone = new LinkedHashMap<>();

  @Override
  void add(byte[] value, long weight) {
    for (long copy = 0; copy < weight; copy++) {
      arrived.add(value);
    }
    if (weight < 0) {
      gone.merge(new BytesKey(value), -weight, Long::sum);
    }
  }

  @Override
  void forEachChange(ObjLongConsumer<byte[]> use) {
    arrived.forEach(value -> use.accept(value, 1L));
    gone.forEach((value, copies) -> use.accept(value.bytes, -copies));
  }

  @Override
  void forEach(ObjLongConsumer<byte[]> use) {
    if (!gone.isEmpty()) {
      settle();
    }
    arrived.forEach(value -> use.accept(value, 1L));
  }

  private void settle() {
    List<byte[]> left = new ArrayList<>();
    for (byte[] value : arrived) {
      BytesKey key = new BytesKey(value);
      Long due = gone.get(key);
      if (due == null) {
        left.add(value);
      } else if (due == 1) {
        gone.remove(key);
      } else {
        gone.put(key, due - 1);
      }
    }
    arrived = left;
  }
}
