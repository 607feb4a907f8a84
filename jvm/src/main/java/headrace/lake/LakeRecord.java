package headrace.lake;

import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A record that is ready to be written.
 *
 * @param topic that files are named after
 * @param source topic it was read from
 * @param clock its time in milliseconds, by which files are cut; null where time plays no part
 * @param path output partition within the topic
 * @param batch number of the batch, which tells its schemas
 * @param skipped whether it leaves nothing behind
 * @param error class of what Connect would throw, or null
 */
record LakeRecord(
    String topic,
    String source,
    int partition,
    long offset,
    Long clock,
    String path,
    int batch,
    byte[] value,
    byte[] key,
    byte[] headers,
    boolean skipped,
    boolean tombstone,
    String error,
    String message,
    String stage) {
  /** Error of a record of a schema that the round did not reckon with. */
  private static final String NEW_SCHEMA = "headrace.NewSchema";

  boolean ofNewSchema() {
    return NEW_SCHEMA.equals(error);
  }

  /** Fields in the order above. */
  static LakeRecord of(InternalRow row) {
    return new LakeRecord(
        text(row, 0), text(row, 1), row.getInt(2), row.getLong(3), row.isNullAt(4) ? null : row.getLong(4), text(row, 5),
        row.getInt(6), bytes(row, 7), bytes(row, 8), bytes(row, 9), row.getBoolean(10), row.getBoolean(11),
        text(row, 12), text(row, 13), text(row, 14));
  }

  private static String text(InternalRow row, int field) {
    return row.isNullAt(field) ? null : row.getUTF8String(field).toString();
  }

  private static byte[] bytes(InternalRow row, int field) {
    return row.isNullAt(field) ? null : row.getBinary(field);
  }
}
