package headrace.connect.jdbc;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.StructType;

/** Tells rows apart by 64 bits of all their values. */
final class RowDigest {
  private static final long SEED = 42L;

  private final UnsafeProjection projection;

  RowDigest(StructType schema) {
    projection = UnsafeProjection.create(schema);
  }

  long of(InternalRow row) {
    UnsafeRow flat = projection.apply(row);
    return XXH64.hashUnsafeBytes(flat.getBaseObject(), flat.getBaseOffset(), flat.getSizeInBytes(), SEED);
  }
}
