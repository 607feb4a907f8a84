package headrace.operators;

import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;

/** Packed values of a group in order of arrival. */
abstract class Bag {
  /** Adds a value so many times, or takes it away. */
  abstract void add(byte[] value, long weight);

  /** What was added and taken away, so that adding all of it to another bag has the same effect. */
  abstract void forEachChange(ObjLongConsumer<byte[]> use);

  /** The values that are there, in order, with their number of copies. */
  abstract void forEach(ObjLongConsumer<byte[]> use);

  void addAll(Bag later) {
    later.forEachChange(this::add);
  }

  /** Length, bytes and weight of each change, one after the other. */
  byte[] write() {
    int[] size = {0};
    forEachChange((value, weight) -> size[0] += Integer.BYTES + value.length + Long.BYTES);
    ByteBuffer out = ByteBuffer.allocate(size[0]);
    forEachChange((value, weight) -> out.putInt(value.length).put(value).putLong(weight));
    return out.array();
  }

  void read(byte[] written) {
    ByteBuffer in = ByteBuffer.wrap(written);
    while (in.hasRemaining()) {
      byte[] value = new byte[in.getInt()];
      in.get(value);
      add(value, in.getLong());
    }
  }
}
