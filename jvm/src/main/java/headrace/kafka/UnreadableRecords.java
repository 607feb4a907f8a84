package headrace.kafka;

import headrace.formats.RecordException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.spark.TaskContext;

/**
 * The records of one task that cannot be decoded and that the job goes on without: counted, and sent to a dead-letter topic
 * where there is one. A task ends only when the broker has acknowledged its dead letters, so that none is lost with a batch
 * that counts as done.
 */
final class UnreadableRecords implements AutoCloseable {
  private final SkippedRecords counter;
  private final DeadLetterTopic topic;
  private DeadLetters letters;

  /** `topic` is null where records are only counted. */
  UnreadableRecords(SkippedRecords counter, DeadLetterTopic topic) {
    this.counter = counter;
    this.topic = topic;
  }

  void take(ConsumerRecord<byte[], byte[]> record, RecordException reason) {
    counter.add(record.topic() + "/" + record.partition());
    if (topic == null) {
      return;
    }
    if (letters == null) {
      letters = topic.open();
    }
    letters.send(record, reason);
  }

  /** A task that failed runs again and sends its dead letters anew; waiting for these would only delay its error. */
  @Override
  public void close() {
    TaskContext task = TaskContext.get();
    boolean given = task != null && (task.isFailed() || task.isInterrupted());
    if (letters != null && !given) {
      letters.await();
    }
  }
}
