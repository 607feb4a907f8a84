package headrace.operators;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The key of the group that an operator is at, as the row that the state store knows it by. */
final class GroupKey {
  /** The only group where there are no keys: a row of one zero, its null bits first. */
  private static final byte[] ALL = new byte[2 * Long.BYTES];

  final StructType schema;
  private final UnsafeRow row;
  private final boolean single;

  GroupKey(StructType keys) {
    single = keys.isEmpty();
    schema = single ? new StructType().add("__key0", DataTypes.IntegerType) : keys;
    row = new UnsafeRow(schema.length());
  }

  void set(byte[] packed) {
    byte[] bytes = single ? ALL : packed;
    row.pointTo(bytes, bytes.length);
  }

  UnsafeRow row() {
    return row;
  }
}
