package headrace.connect;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Headers that the JSON converter wrote, each of a schema of its own, as the simple header converter writes them. */
public final class HeaderJson implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int ERROR = 1;

  private final boolean envelope;

  HeaderJson(boolean envelope) {
    this.envelope = envelope;
  }

  public InternalRow text(byte[] bytes) {
    return Outcome.of(() -> {
      String schema = bytes == null || !envelope ? null : schemaOf(bytes);
      InternalRow decoded = checked(new JsonCodec(schema, envelope, false, true).decode(bytes));
      return new TextCodec(schema).header(decoded);
    });
  }

  private static String schemaOf(byte[] bytes) {
    InternalRow found = checked(new JsonCodec(null, true, false, true).schemaOf(bytes));
    String text = found.getUTF8String(0).toString();
    return text.equals("null") ? null : text;
  }

  private static InternalRow checked(InternalRow outcome) {
    if (!outcome.isNullAt(ERROR)) {
      InternalRow error = outcome.getStruct(ERROR, 2);
      throw new DataFault(error.getUTF8String(0).toString(), text(error.getUTF8String(1)));
    }
    return outcome;
  }

  private static String text(UTF8String message) {
    return message == null ? null : message.toString();
  }

  @Override
  public String toString() {
    return "HeaderJson";
  }
}
