package headrace.operators;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/** Every value once, where it first came, with its count; it keeps its place until the last copy goes. */
final class CountedBag extends Bag {
  private final Map<BytesKey, Long> counts = new LinkedHashMap<>();

  @Override
  void add(byte[] value, long weight) {
    counts.merge(new BytesKey(value), weight, (held, more) -> held + more == 0 ? null : held + more);
  }

  @Override
  void forEachChange(ObjLongConsumer<byte[]> use) {
    counts.forEach((value, count) -> use.accept(value.bytes, count));
  }

  @Override
  void forEach(ObjLongConsumer<byte[]> use) {
    counts.forEach((value, count) -> {
      if (count > 0) {
        use.accept(value.bytes, count);
      }
    });
  }
}
