package headrace.formats;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** JSON in any of its encodings as UTF-8. Nearly all of it is UTF-8 already; Flink reads the others too. */
final class JsonEncoding {
  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");
  private static final int NONE = -1;

  private JsonEncoding() {}

  /** The record itself, or a copy where it has a byte order mark or is not UTF-8. */
  static byte[] utf8(byte[] record) throws JsonSyntaxException {
    // A row starts with two ASCII characters: zeros beside them tell UTF-16 and UTF-32, large bytes a mark.
    if (record.length < 2 || (record[0] > 0 && record[1] > 0)) {
      return record;
    }
    Charset charset = charset(at(record, 0), at(record, 1), at(record, 2), at(record, 3));
    String text = decoded(record, charset);
    return (text.startsWith("\uFEFF") ? text.substring(1) : text).getBytes(StandardCharsets.UTF_8);
  }

  private static Charset charset(int first, int second, int third, int fourth) {
    boolean littleMark = first == 0xFF && second == 0xFE;
    if (first == 0 && second == 0) {
      return UTF_32BE;
    }
    if ((littleMark || second == 0) && third == 0 && fourth == 0) {
      return UTF_32LE;
    }
    if (first == 0 || (first == 0xFE && second == 0xFF)) {
      return StandardCharsets.UTF_16BE;
    }
    return littleMark || second == 0 ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
  }

  private static String decoded(byte[] record, Charset charset) throws JsonSyntaxException {
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(record)).toString();
    } catch (CharacterCodingException malformed) {
      throw new JsonSyntaxException("Invalid " + charset + " text");
    }
  }

  private static int at(byte[] record, int position) {
    return position < record.length ? record[position] & 0xFF : NONE;
  }
}
