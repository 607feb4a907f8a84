package headrace.connect;

import java.io.Serializable;
import java.nio.charset.Charset;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts in an encoding, as Java reads and writes them: what the encoding does not have is replaced, and never an error. */
public final class CharsetCodec implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String name;

  CharsetCodec(String name) {
    this.name = name;
  }

  public UTF8String decode(byte[] bytes) {
    return bytes == null ? null : UTF8String.fromString(new String(bytes, Charset.forName(name)));
  }

  public byte[] encode(UTF8String text) {
    return text == null ? null : text.toString().getBytes(Charset.forName(name));
  }

  @Override
  public String toString() {
    return "Charset(" + name + ")";
  }
}
