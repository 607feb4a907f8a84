package headrace.operators;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Called from generated code; every task has its own copy. */
public final class RowPacker implements Serializable {
  private static final long serialVersionUID = 1L;

  private final StructType schema;
  private transient UnsafeProjection projection;

  RowPacker(StructType schema) {
    this.schema = schema;
  }

  public byte[] pack(InternalRow row) {
    if (row instanceof UnsafeRow unsafe) {
      return Packed.bytes(unsafe);
    }
    if (projection == null) {
      projection = UnsafeProjection.create(schema);
    }
    return Packed.bytes(projection, row);
  }
}
