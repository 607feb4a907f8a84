package headrace.operators;

import java.util.Arrays;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * A number for each of many short byte strings, made for millions of them. A look-up is bound by memory, so it touches two
 * places: the slot, which has the hash, and the entry, where number, length and bytes lie together. There are no objects.
 */
final class ByteTable {
  private static final int SEED = 42;

  /** An entry begins with its number (8 bytes), the length of its bytes and their hash (4 each). */
  private static final int HEADER = 16;

  private static final int LENGTH = 8;
  private static final int HASH = 12;

  /**
   * Hash in the upper half; in the lower the entry's place in units of 8 bytes, plus one: 0 is a free slot. Small to begin
   * with: where groups are many, most see few values.
   */
  private long[] slots = new long[8];
  private byte[] entries = new byte[128];
  private int used;
  private int size;

  int size() {
    return size;
  }

  /** The entry of these bytes; made with number 0 if there is none. */
  int entry(byte[] bytes, int offset, int length) {
    int hash = Murmur3_x86_32.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET + offset, length, SEED);
    int mask = slots.length - 1;
    int at = hash & mask;
    while (slots[at] != 0) {
      int entry = place(slots[at]);
      if ((int) (slots[at] >>> 32) == hash && holds(entry, bytes, offset, length)) {
        return entry;
      }
      at = (at + 1) & mask;
    }
    int entry = append(bytes, offset, length, hash);
    slots[at] = (long) hash << 32 | ((entry >>> 3) + 1);
    if (++size * 2 > slots.length) {
      grow();
    }
    return entry;
  }

  long number(int entry) {
    return Platform.getLong(entries, Platform.BYTE_ARRAY_OFFSET + entry);
  }

  void number(int entry, long number) {
    Platform.putLong(entries, Platform.BYTE_ARRAY_OFFSET + entry, number);
  }

  /** Where an entry's bytes begin in `bytes()`. */
  int start(int entry) {
    return entry + HEADER;
  }

  int length(int entry) {
    return Platform.getInt(entries, Platform.BYTE_ARRAY_OFFSET + entry + LENGTH);
  }

  int hash(int entry) {
    return Platform.getInt(entries, Platform.BYTE_ARRAY_OFFSET + entry + HASH);
  }

  byte[] bytes() {
    return entries;
  }

  /** Entries in the order in which they were made: from 0, while below `end`. */
  int next(int entry) {
    return entry + HEADER + aligned(length(entry));
  }

  int end() {
    return used;
  }

  /** Forgets all entries; the memory stays for the next ones. */
  void clear() {
    Arrays.fill(slots, 0);
    used = 0;
    size = 0;
  }

  private static int place(long slot) {
    return ((int) slot - 1) << 3;
  }

  private static int aligned(int length) {
    return (length + 7) & ~7;
  }

  private boolean holds(int entry, byte[] bytes, int offset, int length) {
    return length(entry) == length
        && ByteArrayMethods.arrayEquals(
            entries, Platform.BYTE_ARRAY_OFFSET + start(entry), bytes, Platform.BYTE_ARRAY_OFFSET + offset, length);
  }

  private int append(byte[] bytes, int offset, int length, int hash) {
    int entry = used;
    int end = Math.addExact(entry, HEADER + aligned(length));
    if (end > entries.length) {
      entries = Arrays.copyOf(entries, Math.max(end, (int) Math.min(entries.length * 2L, Integer.MAX_VALUE - HEADER)));
    }
    number(entry, 0L);
    Platform.putInt(entries, Platform.BYTE_ARRAY_OFFSET + entry + LENGTH, length);
    Platform.putInt(entries, Platform.BYTE_ARRAY_OFFSET + entry + HASH, hash);
    System.arraycopy(bytes, offset, entries, start(entry), length);
    used = end;
    return entry;
  }

  private void grow() {
    long[] before = slots;
    slots = new long[before.length * 2];
    int mask = slots.length - 1;
    for (long slot : before) {
      if (slot != 0) {
        int at = (int) (slot >>> 32) & mask;
        while (slots[at] != 0) {
          at = (at + 1) & mask;
        }
        slots[at] = slot;
      }
    }
  }
}
