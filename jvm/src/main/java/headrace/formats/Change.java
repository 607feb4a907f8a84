package headrace.formats;

/**
 * A row that a message adds (weight 1) or takes away (-1).
 *
 * @param ofKey whether the message does not say which row goes: the record's key does
 */
record Change(Object[] cells, long weight, boolean ofKey) {
  static Change added(Object[] cells) {
    return new Change(cells, 1L, false);
  }

  static Change removed(Object[] cells) {
    return new Change(cells, -1L, false);
  }
}
