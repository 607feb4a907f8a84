package headrace.operators;

/** One value of the group at hand. */
interface GroupValue {
  /** Null where none is kept. */
  byte[] get();

  void update(byte[] value);

  void clear();
}
