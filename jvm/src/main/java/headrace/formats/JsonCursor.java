package headrace.formats;

import java.util.Arrays;

/**
 * A place in the UTF-8 bytes of one JSON text, moved forward value by value. What it passes is checked to be JSON by
 * the letter, except that strings may hold raw control characters, as Flink lets them.
 */
final class JsonCursor {
  /** Beyond all bytes, of which the upper half is negative. */
  static final int END = Integer.MIN_VALUE;

  static final long NO_SHORT_INTEGER = Long.MIN_VALUE;

  /** So many digits always fit a long. */
  private static final int SHORT_DIGITS = 18;

  /** Deeper values are refused: they are passed by recursion, which has a bounded stack. */
  private static final int MAX_DEPTH = 1000;

  final byte[] bytes;
  private int position;

  JsonCursor(byte[] bytes) {
    this.bytes = bytes;
  }

  int position() {
    return position;
  }

  void moveTo(int place) {
    position = place;
  }

  /** The next byte that is no blank, at which the cursor then stands, or END. */
  int peek() {
    byte[] text = bytes;
    int place = position;
    while (place < text.length && isBlank(text[place])) {
      place++;
    }
    position = place;
    return place < text.length ? text[place] : END;
  }

  /** Passes the byte that opens an object or array; false where another value starts. */
  boolean opens(char open) {
    if (peek() != open) {
      return false;
    }
    position++;
    return true;
  }

  /** After the opening byte: whether anything is inside; passes the closing byte if not. */
  boolean hasFirst(char close) {
    if (peek() != close) {
      return true;
    }
    position++;
    return false;
  }

  /** After an element: whether another follows; passes the comma, or the closing byte. */
  boolean hasNext(char close) throws JsonSyntaxException {
    int next = peek();
    if (next != ',' && next != close) {
      throw unexpected("a comma or '" + close + "'");
    }
    position++;
    return next == ',';
  }

  /** Passes `null`; false, without moving, where another value stands. */
  boolean takesNull() throws JsonSyntaxException {
    if (peek() != 'n') {
      return false;
    }
    passWord("null");
    return true;
  }

  void passColon() throws JsonSyntaxException {
    if (peek() != ':') {
      throw unexpected("a colon");
    }
    position++;
  }

  /** Passes what follows the byte at the cursor if it is exactly this. */
  boolean takes(byte[] expected) {
    int start = position + 1;
    int end = start + expected.length;
    if (end > bytes.length || !Arrays.equals(bytes, start, end, expected, 0, expected.length)) {
      return false;
    }
    position = end;
    return true;
  }

  JsonSyntaxException unexpected(String expected) {
    return JsonSyntaxException.unexpected(bytes, position, expected);
  }

  /** Passes a string, a name too; true if it has escapes. */
  boolean passString() throws JsonSyntaxException {
    byte[] text = bytes;
    boolean escaped = false;
    int place = position + 1;
    while (place < text.length) {
      byte current = text[place];
      if (current == '"') {
        position = place + 1;
        return escaped;
      }
      if (current == '\\') {
        escaped = true;
        place = JsonStrings.afterEscape(text, place);
      } else {
        place = current >= 0 ? place + 1 : JsonStrings.afterSequence(text, place);
      }
    }
    throw new JsonSyntaxException("Unexpected end of the record: a string has no closing quote");
  }

  /**
   * Passes an integer of so few digits that a long holds it, and gives its value; any other number is left for
   * {@link #passNumber} and gives {@link #NO_SHORT_INTEGER}.
   */
  long takeShortInteger() {
    byte[] text = bytes;
    boolean negative = text[position] == '-';
    int first = position + (negative ? 1 : 0);
    int place = first;
    long value = 0;
    while (place < text.length && isDigit(text[place])) {
      value = value * 10 + (text[place++] - '0');
    }
    int digits = place - first;
    // The zero of -0 keeps its sign as a FLOAT or DOUBLE, and would lose it here.
    boolean odd = text[first] == '0' && (digits > 1 || negative);
    if (digits == 0 || digits > SHORT_DIGITS || odd || goesOn(place)) {
      return NO_SHORT_INTEGER;
    }
    position = place;
    return negative ? -value : value;
  }

  private boolean goesOn(int place) {
    return place < bytes.length && (bytes[place] == '.' || (bytes[place] | 0x20) == 'e');
  }

  void passNumber() throws JsonSyntaxException {
    int place = position + (bytes[position] == '-' ? 1 : 0);
    boolean zero = place < bytes.length && bytes[place] == '0';
    int whole = passDigits(place);
    if (zero && whole > place + 1) {
      throw JsonSyntaxException.unexpected(bytes, place + 1, "no digit after a leading zero");
    }
    place = whole;
    if (place < bytes.length && bytes[place] == '.') {
      place = passDigits(place + 1);
    }
    if (place < bytes.length && (bytes[place] | 0x20) == 'e') {
      boolean signed = place + 1 < bytes.length && (bytes[place + 1] == '+' || bytes[place + 1] == '-');
      place = passDigits(place + (signed ? 2 : 1));
    }
    position = place;
  }

  private int passDigits(int start) throws JsonSyntaxException {
    int place = start;
    while (place < bytes.length && isDigit(bytes[place])) {
      place++;
    }
    if (place == start) {
      throw JsonSyntaxException.unexpected(bytes, start, "a digit");
    }
    return place;
  }

  void passWord(String word) throws JsonSyntaxException {
    for (int i = 0; i < word.length(); i++) {
      if (position + i >= bytes.length || bytes[position + i] != word.charAt(i)) {
        throw JsonSyntaxException.unexpected(bytes, position + i, "'" + word + "'");
      }
    }
    position += word.length();
  }

  void passValue() throws JsonSyntaxException {
    passValue(0);
  }

  private void passValue(int depth) throws JsonSyntaxException {
    int first = peek();
    switch (first) {
      case '"' -> passString();
      case '{' -> passObject(deeper(depth));
      case '[' -> passArray(deeper(depth));
      case 't' -> passWord("true");
      case 'f' -> passWord("false");
      case 'n' -> passWord("null");
      default -> {
        if (!startsNumber(first)) {
          throw unexpected("a value");
        }
        passNumber();
      }
    }
  }

  private void passObject(int depth) throws JsonSyntaxException {
    position++;
    for (boolean more = hasFirst('}'); more; more = hasNext('}')) {
      if (peek() != '"') {
        throw unexpected("a field name in quotes");
      }
      passString();
      passColon();
      passValue(depth);
    }
  }

  private void passArray(int depth) throws JsonSyntaxException {
    position++;
    for (boolean more = hasFirst(']'); more; more = hasNext(']')) {
      passValue(depth);
    }
  }

  private static int deeper(int depth) throws JsonSyntaxException {
    if (depth == MAX_DEPTH) {
      throw new JsonSyntaxException("Values are nested deeper than " + MAX_DEPTH + " levels");
    }
    return depth + 1;
  }

  static boolean startsNumber(int first) {
    return first == '-' || isDigit(first);
  }

  static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  private static boolean isBlank(byte character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
  }
}
