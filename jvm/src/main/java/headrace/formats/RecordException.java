package headrace.formats;

import com.fasterxml.jackson.core.JsonProcessingException;

/**
 * A record that cannot be decoded or encoded. The message has a fixed form, `key=value` words and then the reason,
 * because Spark passes only text to the driver and the facts are read back from it there.
 */
public final class RecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String format;
  private final String part;
  private final String field;
  private final String reason;

  private RecordException(String place, FormatSpec format, Exception cause) {
    super(place + " " + facts(format, cause), cause);
    this.format = format.format;
    this.part = format.part;
    this.field = fieldOf(cause);
    this.reason = reason(cause);
  }

  static RecordException decoding(String place, FormatSpec format, Exception cause) {
    return new RecordException(place, format, cause);
  }

  static RecordException encoding(FormatSpec format, Exception cause) {
    return new RecordException("unwritable row:", format, cause);
  }

  /** A reason that tells its own cure. */
  static String withCure(String reason, String cure) {
    return reason + " [cure: " + cure + "]";
  }

  public String format() {
    return format;
  }

  public String part() {
    return part;
  }

  /** The path of the field at fault; empty where the record is at fault as a whole. */
  public String field() {
    return field;
  }

  public String reason() {
    return reason;
  }

  private static String facts(FormatSpec format, Exception cause) {
    String field = escaped(fieldOf(cause));
    return "format=" + format.format + " part=" + format.part + " field=\"" + field + "\": " + reason(cause);
  }

  private static String fieldOf(Exception cause) {
    return cause instanceof FieldException failure ? failure.field() : "";
  }

  private static String escaped(String field) {
    return field.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** One line: Jackson appends the position on further lines, which would cut the message in two. */
  private static String reason(Exception cause) {
    String message = cause instanceof JsonProcessingException json
        ? json.getOriginalMessage()
        : cause.getMessage();
    String text = message == null ? cause.getClass().getSimpleName() : message;
    return text.replaceAll("\\s+", " ").trim();
  }
}
