package headrace.connect;

import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** What work on one record gives: a value, or the error that the record is told apart by. */
final class Outcome {
  private static final StructType ERROR =
      new StructType().add("class", DataTypes.StringType).add("message", DataTypes.StringType);

  private Outcome() {}

  static StructType type(DataType value) {
    return new StructType().add("value", value).add("error", ERROR);
  }

  static InternalRow of(Supplier<Object> work) {
    try {
      return new GenericInternalRow(new Object[] {work.get(), null});
    } catch (DataFault fault) {
      Object[] error = {UTF8String.fromString(fault.kind()), UTF8String.fromString(fault.getMessage())};
      return new GenericInternalRow(new Object[] {null, new GenericInternalRow(error)});
    }
  }
}
