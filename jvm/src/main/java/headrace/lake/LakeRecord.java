package headrace.lake;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A record that is ready to be written.
 *
 * @param topic that files are named after
 * @param source topic it was read from
 * @param clock its time in milliseconds, by which files are cut; null where time plays no part
 * @param path output partition within the topic
 * @param batch number of the batch, which tells its schemas
 * @param skipped whether it leaves nothing behind
 * @param projected the value in other schemas, in the order of {@link CutSpec#targets}; null where there are none
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
    String stage,
    List<byte[]> projected) {
  /** Error of a record of a schema that the round did not reckon with. */
  private static final String NEW_SCHEMA = "headrace.NewSchema";

  private static final int FIELDS = 16;

  boolean ofNewSchema() {
    return NEW_SCHEMA.equals(error);
  }

  /** For the rows of a task. */
  static Texts texts() {
    return new Texts(FIELDS);
  }

  /** Fields in the order above. */
  static LakeRecord of(InternalRow row, Texts texts) {
    return new LakeRecord(
        texts.of(row, 0), texts.of(row, 1), row.getInt(2), row.getLong(3), row.isNullAt(4) ? null : row.getLong(4),
        texts.of(row, 5), row.getInt(6), bytes(row, 7), bytes(row, 8), bytes(row, 9), row.getBoolean(10),
        row.getBoolean(11), texts.of(row, 12), texts.of(row, 13), texts.of(row, 14), list(row, 15));
  }

  private static List<byte[]> list(InternalRow row, int field) {
    if (row.isNullAt(field)) {
      return null;
    }
    ArrayData values = row.getArray(field);
    List<byte[]> found = new ArrayList<>(values.numElements());
    for (int i = 0; i < values.numElements(); i++) {
      found.add(values.isNullAt(i) ? null : values.getBinary(i));
    }
    return found;
  }

  private static byte[] bytes(InternalRow row, int field) {
    return row.isNullAt(field) ? null : row.getBinary(field);
  }
}
