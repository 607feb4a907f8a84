package headrace.formats;

import com.fasterxml.jackson.core.JsonProcessingException;

/**
 * A record that cannot be decoded or encoded. The message has a fixed form, `key=value` words and then the reason,
 * because Spark passes only text to the driver and the facts are read back from it there.
 */
public final class RecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private RecordException(String message, Throwable cause) {
    super(message, cause);
  }

  static RecordException decoding(String place, FormatSpec format, Exception cause) {
    return new RecordException(place + " " + facts(format, cause), cause);
  }

  static RecordException encoding(FormatSpec format, Exception cause) {
    return new RecordException("unwritable row: " + facts(format, cause), cause);
  }

  private static String facts(FormatSpec format, Exception cause) {
    String field = cause instanceof FieldException failure ? failure.field() : "";
    return "format=" + format.format + " part=" + format.part + " field=\"" + escaped(field) + "\": " + reason(cause);
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
