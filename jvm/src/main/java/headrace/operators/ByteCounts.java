package headrace.operators;

/** Counts by packed value. */
final class ByteCounts {
  interface Use {
    void accept(byte[] bytes, int offset, int length, int hash, long count);
  }

  private final ByteTable values = new ByteTable();
  private int valueBytes;

  int size() {
    return values.size();
  }

  /** Whether the value is new here. */
  boolean add(byte[] bytes, int offset, int length, long weight) {
    int known = values.size();
    int entry = values.entry(bytes, offset, length);
    values.number(entry, values.number(entry) + weight);
    if (values.size() == known) {
      return false;
    }
    valueBytes += length;
    return true;
  }

  void forEach(Use use) {
    for (int entry = 0; entry < values.end(); entry = values.next(entry)) {
      use.accept(values.bytes(), values.start(entry), values.length(entry), values.hash(entry), values.number(entry));
    }
  }

  /** Sum of the values' lengths. */
  int valueBytes() {
    return valueBytes;
  }
}
