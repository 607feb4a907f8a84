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
    if (bytes == null) {
      return null;
    }
    UTF8String text = UTF8String.fromBytes(bytes);
    return isSame(text) ? text : UTF8String.fromString(new String(bytes, Charset.forName(name)));
  }

  public byte[] encode(UTF8String text) {
    if (text == null) {
      return null;
    }
    return isSame(text) ? text.getBytes() : text.toString().getBytes(Charset.forName(name));
  }

  /** Whether Spark's bytes of the text are those of the encoding: nothing is to be done to most texts. */
  private boolean isSame(UTF8String text) {
    return name.equals("UTF-8") && text.isValid();
  }

  @Override
  public String toString() {
    return "Charset(" + name + ")";
  }
}
