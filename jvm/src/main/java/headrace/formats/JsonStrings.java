package headrace.formats;

import java.nio.charset.StandardCharsets;

/** What strings are made of: escapes, and characters of several bytes. */
final class JsonStrings {
  private static final String SHORT_ESCAPES = "\"\\/bfnrt";
  private static final String SHORT_MEANINGS = "\"\\/\b\f\n\r\t";
  private static final int HEX_DIGITS = 4;
  private static final int HEX = 16;

  private JsonStrings() {}

  /** The place after the escape whose backslash stands at a place. */
  static int afterEscape(byte[] bytes, int backslash) throws JsonSyntaxException {
    int kind = backslash + 1;
    if (kind < bytes.length && bytes[kind] == 'u') {
      return afterHex(bytes, kind + 1);
    }
    if (kind >= bytes.length || SHORT_ESCAPES.indexOf(bytes[kind]) < 0) {
      throw JsonSyntaxException.unexpected(bytes, kind, "one of " + SHORT_ESCAPES + "u after a backslash");
    }
    return kind + 1;
  }

  private static int afterHex(byte[] bytes, int start) throws JsonSyntaxException {
    for (int place = start; place < start + HEX_DIGITS; place++) {
      if (place >= bytes.length || bytes[place] < 0 || Character.digit(bytes[place], HEX) < 0) {
        throw JsonSyntaxException.unexpected(bytes, place, "four hexadecimal digits after \\u");
      }
    }
    return start + HEX_DIGITS;
  }

  /** The place after the character of several bytes that starts at a place. */
  static int afterSequence(byte[] bytes, int start) throws JsonSyntaxException {
    int lead = bytes[start] & 0xFF;
    int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    boolean valid = length > 0 && start + length <= bytes.length && isSecond(lead, bytes[start + 1] & 0xFF);
    for (int i = 2; valid && i < length; i++) {
      valid = (bytes[start + i] & 0xC0) == 0x80;
    }
    if (!valid) {
      throw new JsonSyntaxException("Invalid UTF-8 at byte " + start);
    }
    return start + length;
  }

  /** The second byte's range keeps out overlong forms, surrogates, and what lies beyond U+10FFFF. */
  private static boolean isSecond(int lead, int second) {
    int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= lowest && second <= highest;
  }

  /** The text of checked bytes between quotes. */
  static String unescaped(byte[] bytes, int from, int to) {
    StringBuilder text = new StringBuilder(to - from);
    int plain = from;
    for (int place = from; place < to; place++) {
      if (bytes[place] == '\\') {
        text.append(text(bytes, plain, place));
        boolean hex = bytes[place + 1] == 'u';
        text.append(hex ? hexCharacter(bytes, place + 2) : shortCharacter(bytes[place + 1]));
        place += hex ? 1 + HEX_DIGITS : 1;
        plain = place + 1;
      }
    }
    return text.append(text(bytes, plain, to)).toString();
  }

  static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static char hexCharacter(byte[] bytes, int start) {
    int character = 0;
    for (int place = start; place < start + HEX_DIGITS; place++) {
      character = character * HEX + Character.digit(bytes[place], HEX);
    }
    return (char) character;
  }

  private static char shortCharacter(byte kind) {
    return SHORT_MEANINGS.charAt(SHORT_ESCAPES.indexOf(kind));
  }
}
