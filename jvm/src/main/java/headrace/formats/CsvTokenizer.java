package headrace.formats;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits the first line of a CSV record into its fields, by the rules of the parser Flink uses: quotes count only at
 * a field's start and are doubled inside, blanks after a closing quote are dropped, other blanks are content unless they
 * are trimmed, and comment lines before the data are passed over where they are allowed.
 */
final class CsvTokenizer {
  private static final int END = -1;

  private final CsvOptions options;
  private final String text;
  private int position;
  private boolean lineEnded;

  private CsvTokenizer(CsvOptions options, String text) {
    this.options = options;
    this.text = text;
  }

  /** The fields of the first line that has any, or none. */
  static List<String> fields(CsvOptions options, String text) {
    CsvTokenizer tokenizer = new CsvTokenizer(options, text);
    List<String> fields = new ArrayList<>();
    tokenizer.skipComments();
    if (tokenizer.peek() == END) {
      return fields;
    }
    while (!tokenizer.lineEnded) {
      fields.add(tokenizer.field());
    }
    return fields;
  }

  /** Leading blanks of the data line go too; without comments every line is data, blank ones included. */
  private void skipComments() {
    while (options.allowComments() && position < text.length()) {
      char current = text.charAt(position);
      if (current == '#') {
        skipLine();
      } else if (isLineEnd(current) || current == ' ') {
        position++;
      } else {
        return;
      }
    }
  }

  private void skipLine() {
    while (position < text.length() && !isLineEnd(text.charAt(position))) {
      position++;
    }
  }

  private String field() {
    if (!options.trimSpaces()) {
      return peek() != END && peek() == options.quote() ? quoted() : plain();
    }
    while (isSpace(peek())) {
      position++;
    }
    return peek() != END && peek() == options.quote() ? quoted() : plain().stripTrailing();
  }

  private boolean isSpace(int character) {
    return character != END && character <= ' ' && character != options.delimiter() && !isLineEnd((char) character);
  }

  private String plain() {
    StringBuilder field = new StringBuilder();
    while (true) {
      int current = next();
      if (endsField(current)) {
        return field.toString();
      }
      field.append((char) (current == options.escape() ? unescaped() : current));
    }
  }

  private String quoted() {
    StringBuilder field = new StringBuilder();
    position++;
    while (true) {
      int current = next();
      if (current == END) {
        throw new FieldException("a quoted field has no closing quote");
      }
      if (current == options.quote()) {
        if (peek() != options.quote()) {
          skipToDelimiter();
          return field.toString();
        }
        position++;
        field.append((char) current);
      } else {
        field.append((char) (current == options.escape() ? unescaped() : current));
      }
    }
  }

  private void skipToDelimiter() {
    while (true) {
      int current = next();
      if (endsField(current)) {
        return;
      }
      if (current > ' ') {
        throw new FieldException("'" + (char) current + "' follows a closing quote");
      }
    }
  }

  private boolean endsField(int character) {
    if (character == options.delimiter()) {
      return true;
    }
    lineEnded = character == END || isLineEnd((char) character);
    return lineEnded;
  }

  private int unescaped() {
    int current = next();
    return switch (current) {
      case END -> throw new FieldException("the record ends in an escape character");
      case '0' -> 0;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> current;
    };
  }

  private int peek() {
    return position < text.length() ? text.charAt(position) : END;
  }

  private int next() {
    int current = peek();
    position++;
    return current;
  }

  private static boolean isLineEnd(char character) {
    return character == '\n' || character == '\r';
  }
}
