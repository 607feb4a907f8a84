package headrace.operators;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Bytes as a row of one column, written into the same buffer again and again. */
final class BinaryRow {
  static final StructType SCHEMA = new StructType().add("value", DataTypes.BinaryType);

  private final UnsafeRowWriter writer = new UnsafeRowWriter(1);

  UnsafeRow of(byte[] bytes) {
    writer.reset();
    writer.zeroOutNullBytes();
    writer.write(0, bytes);
    return writer.getRow();
  }
}
