package headrace.formats;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Field names by their bytes. Records nearly always have their fields in one order, so the name after the last one
 * found is compared first; others are looked up in a hash table.
 */
final class JsonNames {
  static final int UNKNOWN = -1;

  private final byte[][] names;
  /** The names with their closing quotes; null for a name that is escaped in JSON. */
  private final byte[][] quoted;
  /** Positions by hash, open addressing, half empty at least; its length is a power of two. */
  private final int[] table;

  JsonNames(List<String> names) {
    this.names = names.stream().map(JsonNames::bytes).toArray(byte[][]::new);
    quoted = names.stream().map(name -> isPlain(name) ? bytes(name + '"') : null).toArray(byte[][]::new);
    table = new int[Integer.highestOneBit(names.size() + 1) * 4];
    Arrays.fill(table, UNKNOWN);
    for (int i = 0; i < this.names.length; i++) {
      table[slot(this.names[i], 0, this.names[i].length)] = i;
    }
  }

  /** Passes the name at the cursor and gives its position; the one expected is tried first. */
  int pass(JsonCursor cursor, int expected) throws JsonSyntaxException {
    if (cursor.peek() != '"') {
      throw cursor.unexpected("a field name in quotes");
    }
    if (expected < quoted.length && quoted[expected] != null && cursor.takes(quoted[expected])) {
      return expected;
    }
    int start = cursor.position() + 1;
    boolean escaped = cursor.passString();
    int end = cursor.position() - 1;
    if (!escaped) {
      return table[slot(cursor.bytes, start, end)];
    }
    byte[] name = bytes(JsonStrings.unescaped(cursor.bytes, start, end));
    return table[slot(name, 0, name.length)];
  }

  /** Where a name is in the table, or the empty place where it would be. */
  private int slot(byte[] text, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + text[i];
    }
    int slot = hash & (table.length - 1);
    while (table[slot] != UNKNOWN && !isName(table[slot], text, from, to)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private boolean isName(int position, byte[] text, int from, int to) {
    byte[] name = names[position];
    return Arrays.equals(name, 0, name.length, text, from, to);
  }

  private static boolean isPlain(String name) {
    return name.indexOf('"') < 0 && name.indexOf('\\') < 0;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
