package headrace.operators;

import java.util.Arrays;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * Counts by packed value, made for millions of short values: keys lie end to end in one array and the table holds
 * numbers only, so an entry costs its bytes plus twenty, no object, and a look-up touches two places in memory.
 */
final class ByteCounts {
  private static final int SEED = 42;
  private static final int EMPTY = -1;

  interface Use {
    void accept(byte[] keys, int offset, int length, int hash, long count);
  }

  // Small to begin with: where groups are many, most see few values.
  private int[] table = newTable(8);
  private int[] ends = new int[4];
  private int[] hashes = new int[4];
  private long[] counts = new long[4];
  private byte[] keys = new byte[64];
  private int size;

  private static int[] newTable(int length) {
    int[] table = new int[length];
    Arrays.fill(table, EMPTY);
    return table;
  }

  int size() {
    return size;
  }

  /** Whether the value is new here. */
  boolean add(byte[] bytes, int offset, int length, long weight) {
    int hash = Murmur3_x86_32.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET + offset, length, SEED);
    int slot = hash & (table.length - 1);
    while (table[slot] != EMPTY) {
      int entry = table[slot];
      if (hashes[entry] == hash && holds(entry, bytes, offset, length)) {
        counts[entry] += weight;
        return false;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = append(bytes, offset, length, hash, weight);
    if (size * 2 > table.length) {
      rehash();
    }
    return true;
  }

  void forEach(Use use) {
    for (int entry = 0; entry < size; entry++) {
      use.accept(keys, start(entry), ends[entry] - start(entry), hashes[entry], counts[entry]);
    }
  }

  /** Sum of the keys' lengths. */
  int keyBytes() {
    return start(size);
  }

  private int start(int entry) {
    return entry == 0 ? 0 : ends[entry - 1];
  }

  private boolean holds(int entry, byte[] bytes, int offset, int length) {
    int start = start(entry);
    return ends[entry] - start == length
        && Arrays.equals(keys, start, ends[entry], bytes, offset, offset + length);
  }

  private int append(byte[] bytes, int offset, int length, int hash, long weight) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
      hashes = Arrays.copyOf(hashes, size * 2);
      counts = Arrays.copyOf(counts, size * 2);
    }
    int start = start(size);
    if (start + length > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(keys.length * 2, start + length));
    }
    System.arraycopy(bytes, offset, keys, start, length);
    ends[size] = start + length;
    hashes[size] = hash;
    counts[size] = weight;
    return size++;
  }

  private void rehash() {
    table = newTable(table.length * 2);
    for (int entry = 0; entry < size; entry++) {
      int slot = hashes[entry] & (table.length - 1);
      while (table[slot] != EMPTY) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = entry;
    }
  }
}
