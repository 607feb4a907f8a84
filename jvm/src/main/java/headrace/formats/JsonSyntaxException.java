package headrace.formats;

import java.io.IOException;

/** A record that is not JSON, as opposed to one whose values do not fit their columns. */
final class JsonSyntaxException extends IOException {
  private static final long serialVersionUID = 1L;

  JsonSyntaxException(String reason) {
    super(reason);
  }

  /** What was found in place of something else; the record may end there. */
  static JsonSyntaxException unexpected(byte[] bytes, int position, String expected) {
    return new JsonSyntaxException(found(bytes, position) + ": expected " + expected);
  }

  private static String found(byte[] bytes, int position) {
    if (position >= bytes.length) {
      return "Unexpected end of the record";
    }
    int code = bytes[position] & 0xFF;
    String shown = code > ' ' && code < 0x7F ? "'" + (char) code + "' (code " + code + ")" : "code " + code;
    return "Unexpected character (" + shown + ") at byte " + position;
  }
}
