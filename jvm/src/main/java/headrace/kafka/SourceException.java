package headrace.kafka;

import org.apache.kafka.common.TopicPartition;

/** A source cannot start or go on as told; the message has the facts that the driver reads back. */
final class SourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private SourceException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The records from `offset` on are not there; the partition holds `first` up to `end`, which is exclusive. */
  static SourceException gone(TopicPartition partition, long offset, long first, long end, Throwable cause) {
    return new SourceException(
        "SOURCE_GONE topic=%s partition=%d offset=%d first=%d end=%d"
            .formatted(partition.topic(), partition.partition(), offset, first, end),
        cause);
  }

  static SourceException deleted(String topic) {
    return new SourceException("SOURCE_DELETED topic=" + topic, null);
  }

  static SourceException madeAnew(String topic) {
    return new SourceException("SOURCE_MADE_ANEW topic=" + topic, null);
  }

  static SourceException neverCommitted(String group, TopicPartition partition) {
    return new SourceException(
        "SOURCE_NEVER_COMMITTED topic=%s partition=%d group='%s'"
            .formatted(partition.topic(), partition.partition(), group),
        null);
  }
}
