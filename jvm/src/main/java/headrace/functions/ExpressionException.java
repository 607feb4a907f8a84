package headrace.functions;

/**
 * An expression that has no value for some row. The message has a fixed form, a condition, what was met and where,
 * because Spark passes only text to the driver and the facts are read back from it there.
 */
public final class ExpressionException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARACTERS = 60;

  private ExpressionException(String message) {
    super(message);
  }

  static ExpressionException divisionByZero(String expression) {
    return new ExpressionException("DIVISION_BY_ZERO in " + expression);
  }

  static ExpressionException invalidCast(String text, String type) {
    return new ExpressionException("INVALID_CAST to " + type + " of '" + shortened(text) + "'");
  }

  static ExpressionException invalidPattern(String function, String pattern) {
    return new ExpressionException("INVALID_PATTERN of " + function + " '" + shortened(pattern) + "'");
  }

  static ExpressionException invalidArgument(String function, String argument) {
    return new ExpressionException("INVALID_ARGUMENT of " + function + " '" + shortened(argument) + "'");
  }

  /** On one line: the message is found again by its line. */
  static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
