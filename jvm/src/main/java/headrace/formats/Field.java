package headrace.formats;

/** One field of a format's record: its name there, its type, and the cell of the decoded row it fills, if any. */
record Field(String name, FieldType type, int cell) {
  /** The cell of a field that is checked and skipped because nothing downstream reads it. */
  static final int UNREAD = -1;

  boolean isRead() {
    return cell != UNREAD;
  }
}
