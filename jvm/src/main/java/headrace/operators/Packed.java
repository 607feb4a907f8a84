package headrace.operators;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.ObjectType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows as bytes, in Spark's own binary layout. An operator that only keeps, compares and passes on a row handles it as
 * one value, whatever its columns: nothing is converted on its way through, and equal rows are equal bytes.
 */
public final class Packed {
  private Packed() {}

  /** A column that holds a struct packed. */
  public static Column pack(StructType schema, Column struct) {
    return invoke(new RowPacker(schema), "pack", DataTypes.BinaryType, struct, true);
  }

  /** A struct column with the columns of a packed one. */
  static Column unpack(StructType schema, Column bytes) {
    return invoke(new RowUnpacker(schema.length()), "unpack", schema, bytes, true);
  }

  /** The same, but Spark moves no condition on the columns to below this place. */
  static Column unpackHere(StructType schema, Column bytes) {
    return invoke(new RowUnpacker(schema.length()), "unpack", schema, bytes, false);
  }

  private static Column invoke(Object target, String method, DataType result, Column argument, boolean movable) {
    Expression object = Literal.create(target, new ObjectType(target.getClass()));
    Seq<Expression> arguments = seq(List.of(ExpressionUtils.expression(argument)));
    return ExpressionUtils.column(new Invoke(object, method, result, arguments, seq(List.of()), true, true, movable));
  }

  private static <T> Seq<T> seq(List<T> items) {
    return CollectionConverters.asScala(items).toSeq();
  }

  /** A copy of the row's bytes: projections hand out the same buffer again and again. */
  static byte[] bytes(UnsafeRow row) {
    byte[] copy = new byte[row.getSizeInBytes()];
    row.writeToMemory(copy, Platform.BYTE_ARRAY_OFFSET);
    return copy;
  }

  static byte[] bytes(UnsafeProjection projection, InternalRow row) {
    return bytes(projection.apply(row));
  }

  /** The entry of a row's bytes, read where they lie. */
  static int entry(ByteTable table, UnsafeRow row) {
    int start = (int) (row.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
    return table.entry((byte[]) row.getBaseObject(), start, row.getSizeInBytes());
  }

  static UnsafeRow view(byte[] bytes, int width) {
    UnsafeRow row = new UnsafeRow(width);
    row.pointTo(bytes, bytes.length);
    return row;
  }
}
