package headrace.kafka;

/** A write that Kafka refused or did not answer, told in one line that the driver can read back. */
public final class KafkaWriteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KafkaWriteException(String topic, String servers, Exception cause) {
    super("topic=" + topic + " servers=" + servers + " unwritten: " + firstLine(cause), cause);
  }

  private static String firstLine(Exception cause) {
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse(cause.getClass().getSimpleName());
  }
}
