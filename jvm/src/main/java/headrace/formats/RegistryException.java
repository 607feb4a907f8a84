package headrace.formats;

/**
 * A schema registry that did not do what was asked: the fault of no record, so that none may be skipped for it. The
 * message has a fixed form, which the driver reads back.
 */
public final class RegistryException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARACTERS = 300;

  /** Stands for the status of an answer that never came. */
  static final int UNREACHABLE = 0;

  final int status;

  RegistryException(String address, int status, String subject, String reason) {
    super("registry=" + address + " status=" + status + " subject=\"" + subject + "\" failed: " + shortened(reason));
    this.status = status;
  }

  private static String shortened(String reason) {
    String line = reason.replaceAll("\\s+", " ").trim();
    return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
