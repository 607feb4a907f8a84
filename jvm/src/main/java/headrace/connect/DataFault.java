package headrace.connect;

/** A record that Connect would refuse, with the class and the message of the exception it would throw. */
final class DataFault extends RuntimeException {
  static final String DATA = "org.apache.kafka.connect.errors.DataException";
  static final String CONNECT = "org.apache.kafka.connect.errors.ConnectException";
  private static final long serialVersionUID = 1L;

  private final String kind;

  DataFault(String message) {
    this(DATA, message);
  }

  /** Connect's message and, beneath it as in a stack, the exception that it wraps; readers part them again. */
  static DataFault causedBy(String message, String cause) {
    return new DataFault(message + "\nCaused by: " + cause);
  }

  DataFault(String kind, String message) {
    // Records fail by the thousand where one field is wrong: without its stack an exception is cheap.
    super(message, null, false, false);
    this.kind = kind;
  }

  String kind() {
    return kind;
  }
}
