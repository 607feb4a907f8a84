package headrace.operators;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/** Values of the group at hand, by key. */
interface GroupMap {
  /** Null where none is kept. */
  byte[] get(byte[] key);

  void put(byte[] key, byte[] value);

  void remove(byte[] key);

  void forEach(BiConsumer<byte[], byte[]> use);

  void clear();

  default long count(byte[] key) {
    byte[] stored = get(key);
    return stored == null ? 0 : asCount(stored);
  }

  default void putCount(byte[] key, long count) {
    put(key, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
  }

  /** A stored count. */
  static long asCount(byte[] stored) {
    return ByteBuffer.wrap(stored).getLong();
  }
}
