package headrace.formats;

/** A field whose content does not fit its type. The path grows outwards while the exception climbs. */
final class FieldException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARACTERS = 40;

  private final String field;

  FieldException(String field, String reason, Throwable cause) {
    super(reason, cause);
    this.field = field;
  }

  FieldException(String reason) {
    this("", reason, null);
  }

  static FieldException unreadable(String text, FieldType type, Throwable cause) {
    return new FieldException("", "cannot read '" + shortened(text) + "' as " + type, cause);
  }

  FieldException inside(String outer) {
    return new FieldException(field.isEmpty() ? outer : outer + "." + field, getMessage(), getCause());
  }

  String field() {
    return field;
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
