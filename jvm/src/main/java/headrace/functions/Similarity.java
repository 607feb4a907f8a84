package headrace.functions;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.unsafe.types.UTF8String;

/** SIMILAR TO: SQL's regular expressions, put into Java's. As in Flink a dot stands for any character. */
public final class Similarity {
  private static final String SPECIAL = "[]()|^-+*_%?{}";
  private static final Map<String, String> CLASSES = Map.of(
      "alpha", "\\p{Alpha}",
      "upper", "\\p{Upper}",
      "lower", "\\p{Lower}",
      "digit", "\\d",
      "space", " ",
      "whitespace", "\\s",
      "alnum", "\\p{Alnum}");

  /** By the escape character, or a character that is in no text, with the pattern behind it. */
  private static final ThreadLocal<RecentlyUsed<Pattern>> COMPILED =
      ThreadLocal.withInitial(() -> new RecentlyUsed<>(Similarity::compiled));

  private static final String NO_ESCAPE = "\0";

  private final char escape;
  private final String sql;
  private final StringBuilder java = new StringBuilder();
  private int place;

  private Similarity(char escape, String sql) {
    this.escape = escape;
    this.sql = sql;
  }

  public static boolean similar(UTF8String text, UTF8String pattern) {
    return similar(text, pattern, UTF8String.fromString(NO_ESCAPE));
  }

  public static boolean similar(UTF8String text, UTF8String pattern, UTF8String escape) {
    return COMPILED.get().of(escape.toString() + pattern).matcher(text.toString()).matches();
  }

  private static Pattern compiled(String escapeAndPattern) {
    Similarity translation = new Similarity(escapeAndPattern.charAt(0), escapeAndPattern.substring(1));
    try {
      return Pattern.compile(translation.translated());
    } catch (PatternSyntaxException wrong) {
      throw translation.invalid();
    }
  }

  private String translated() {
    while (place < sql.length()) {
      char character = next();
      if (isEscape(character)) {
        literally();
      } else {
        outside(character);
      }
    }
    return java.toString();
  }

  private void outside(char character) {
    switch (character) {
      case '_' -> java.append('.');
      case '%' -> java.append("(?s:.*)");
      case '$', '\\' -> java.append('\\').append(character);
      case '[' -> enumeration();
      case ']' -> throw invalid();
      default -> java.append(character);
    }
  }

  /** `[a-c[:DIGIT:]]`; the opening bracket has been read. */
  private void enumeration() {
    java.append('[');
    while (place < sql.length()) {
      char character = next();
      if (isEscape(character)) {
        literally();
      } else if (character == '[') {
        characterClass();
      } else if (character != '-' && character != '^' && character != ']' && isSpecial(character)) {
        throw invalid();
      } else {
        java.append(character);
      }
      if (character == ']') {
        return;
      }
    }
    throw invalid();
  }

  private void characterClass() {
    int end = sql.indexOf(":]", place);
    if (end < 0 || sql.charAt(place) != ':') {
      throw invalid();
    }
    String name = sql.substring(place + 1, end);
    boolean oneCase = name.equals(name.toUpperCase()) || name.equals(name.toLowerCase());
    String known = oneCase ? CLASSES.get(name.toLowerCase()) : null;
    if (known == null) {
      throw invalid();
    }
    java.append(known);
    place = end + 2;
  }

  private void literally() {
    if (place == sql.length()) {
      throw invalid();
    }
    char character = next();
    if (!isEscape(character) && !isSpecial(character)) {
      throw invalid();
    }
    java.append(Pattern.quote(String.valueOf(character)));
  }

  private char next() {
    return sql.charAt(place++);
  }

  private boolean isEscape(char character) {
    return escape == character;
  }

  private static boolean isSpecial(char character) {
    return SPECIAL.indexOf(character) >= 0;
  }

  private ExpressionException invalid() {
    return ExpressionException.invalidPattern("SIMILAR TO", sql);
  }
}
