package headrace.operators;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.GetColumnByOrdinal;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoder;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.types.DataType;

/** Spark's rows as they lie in memory, for functions that read every row once and keep none. */
public final class InternalRows {
  private InternalRows() {}

  /**
   * A frame's only column, a struct, as objects. An encoder of Spark's would copy every cell of every row; this one hands
   * out the struct where it lies, so it is good until the next one is asked for. Rows can be read by it, not written.
   */
  public static Dataset<InternalRow> of(Dataset<Row> frame) {
    DataType struct = frame.schema().fields()[0].dataType();
    ExpressionEncoder<byte[]> bytes = ExpressionEncoder.apply((AgnosticEncoder<byte[]>) Encoders.BINARY());
    ExpressionEncoder<byte[]> view =
        new ExpressionEncoder<>(bytes.encoder(), bytes.objSerializer(), new GetColumnByOrdinal(0, struct));
    return frame.as(typed(view));
  }

  @SuppressWarnings("unchecked") // an encoder's type is known to the compiler only: what comes is the struct
  private static Encoder<InternalRow> typed(Encoder<?> encoder) {
    return (Encoder<InternalRow>) encoder;
  }
}
