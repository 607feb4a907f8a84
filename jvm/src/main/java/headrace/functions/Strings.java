package headrace.functions;

import java.nio.charset.Charset;
import java.util.Base64;
import java.util.IllegalFormatException;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of text where Flink's answers are not those of Spark's functions of the same name. */
public final class Strings {
  private Strings() {}

  /** Where a text is found for the nth time from a place on, 0 for nowhere; from a negative place it is looked for backwards. */
  public static int position(UTF8String text, UTF8String part, int start, int nth) {
    if (nth < 1) {
      throw ExpressionException.invalidArgument("INSTR", Integer.toString(nth));
    }
    if (start == 0) {
      return 0;
    }
    boolean forwards = start > 0;
    UTF8String where = forwards ? text : text.reverse();
    UTF8String what = forwards ? part : part.reverse();
    int from = Math.abs(start) - 1;
    for (int found = 0; found < nth; found++) {
      from = where.indexOf(what, from) + 1;
      if (from == 0) {
        return 0;
      }
    }
    return forwards ? from : text.numChars() - from - part.numChars() + 2;
  }

  /** A place before the first one counts as the first. */
  public static int located(UTF8String part, UTF8String text, int start) {
    return text.indexOf(part, Math.max(start - 1, 0)) + 1;
  }

  /** The first byte, as Java counts bytes. */
  public static int firstByte(UTF8String text) {
    return text.numBytes() == 0 ? 0 : text.getByte(0);
  }

  public static UTF8String ofBase64(UTF8String text) {
    try {
      return Texts.ofBytes(Base64.getDecoder().decode(text.getBytes()));
    } catch (IllegalArgumentException none) {
      throw ExpressionException.invalidArgument("FROM_BASE64", text.toString());
    }
  }

  /** An empty part stands between any two characters. */
  public static UTF8String replaced(UTF8String text, UTF8String part, UTF8String replacement) {
    if (part.numBytes() > 0) {
      return text.replace(part, replacement);
    }
    return UTF8String.fromString(text.toString().replace("", replacement.toString()));
  }

  public static UTF8String decoded(byte[] bytes, UTF8String charset) {
    try {
      return UTF8String.fromString(new String(bytes, Charset.forName(charset.toString())));
    } catch (IllegalArgumentException unknown) {
      throw ExpressionException.invalidArgument("DECODE", charset.toString());
    }
  }

  /** What the format does not fit is null. */
  public static UTF8String printed(UTF8String format, InternalRow values) {
    try {
      return UTF8String.fromString(String.format(Locale.ROOT, format.toString(), ((GenericInternalRow) values).values()));
    } catch (IllegalFormatException misfit) {
      return null;
    }
  }
}
