package headrace.operators;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Called from generated code; the columns are read where the bytes lie. */
public final class RowUnpacker implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int width;

  RowUnpacker(int width) {
    this.width = width;
  }

  public InternalRow unpack(byte[] bytes) {
    return Packed.view(bytes, width);
  }
}
