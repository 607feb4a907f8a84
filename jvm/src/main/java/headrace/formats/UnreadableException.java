package headrace.formats;

/** A key or value that its format cannot read; becomes a {@link RecordException} where the record's place is known. */
public final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient FormatSpec format;
  private final Exception failure;

  UnreadableException(FormatSpec format, Exception failure) {
    // Without a stack trace: where bad records are passed over there may be many.
    super(null, failure, false, false);
    this.format = format;
    this.failure = failure;
  }

  public RecordException at(String topic, int partition, long offset) {
    String place = "topic=" + topic + " partition=" + partition + " offset=" + offset;
    return RecordException.decoding(place, format, failure);
  }
}
