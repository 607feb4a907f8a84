package headrace.kafka;

import headrace.formats.RawRecord;
import headrace.formats.RecordException;
import headrace.formats.UnreadableRecords;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;

/**
 * Counts the records that cannot be decoded and sends them to a dead-letter topic where there is one. A task ends only
 * when the broker has acknowledged its dead letters, so that none is lost with a batch that counts as done.
 */
public final class SkippingRecords implements UnreadableRecords {
  private static final long serialVersionUID = 1L;

  private final SkippedRecords counter;
  private final DeadLetterTopic deadLetters;
  private transient Map<Long, Attempt> attempts;

  /** `deadLetters` is null where records are only counted. */
  public SkippingRecords(SkippedRecords counter, DeadLetterTopic deadLetters) {
    this.counter = counter;
    this.deadLetters = deadLetters;
  }

  @Override
  public void take(RawRecord record, RecordException reason) {
    TaskContext context = TaskContext.get();
    if (context == null) {
      Attempt attempt = new Attempt();
      attempt.take(record, reason);
      attempt.finish();
      return;
    }
    attempts().computeIfAbsent(context.taskAttemptId(), id -> begun(context)).take(record, reason);
  }

  private synchronized Map<Long, Attempt> attempts() {
    if (attempts == null) {
      attempts = new ConcurrentHashMap<>();
    }
    return attempts;
  }

  private Attempt begun(TaskContext context) {
    Attempt attempt = new Attempt();
    context.addTaskCompletionListener(ended -> {
      attempts().remove(ended.taskAttemptId());
      // A task that failed runs again and sends its dead letters anew; waiting for these would only delay its error.
      if (!ended.isFailed() && !ended.isInterrupted()) {
        attempt.finish();
      }
    });
    return attempt;
  }

  /** What one attempt of a task has met. Spark may evaluate an expression twice for a row: the second time is none. */
  private final class Attempt {
    private final DeadLetters letters = deadLetters == null ? null : deadLetters.open();
    private RawRecord last;

    void take(RawRecord record, RecordException reason) {
      if (isSame(record, last)) {
        return;
      }
      last = record;
      if (letters != null) {
        letters.send(record, reason);
      }
      counter.add(record.topic() + "/" + record.partition());
    }

    void finish() {
      if (letters != null) {
        letters.await();
      }
    }

    private static boolean isSame(RawRecord one, RawRecord other) {
      return other != null
          && one.offset() == other.offset()
          && one.partition() == other.partition()
          && one.topic().equals(other.topic());
    }
  }
}
