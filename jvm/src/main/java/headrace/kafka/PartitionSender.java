package headrace.kafka;

import java.io.Serializable;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.CommitDeniedException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskFailureListener;

/**
 * Writes the rows of one task in their order and returns when the broker has acknowledged all of them. Within a transaction, it
 * gives what is needed to commit that.
 */
final class PartitionSender implements Serializable {
  private static final long serialVersionUID = 1L;
  /** More than a task is ever attempted within one attempt of its stage. */
  private static final int ATTEMPTS_OF_A_STAGE = 16;

  private final Destination destination;
  private final HashMap<String, String> properties;
  private final boolean upsert;
  private final Envelope envelope;
  private final boolean fold;
  private final int bufferedKeys;
  private final KeysFound found;
  private final String transactions;
  private final TreeSet<Integer> done;

  PartitionSender(WriterSpec spec) {
    this(spec, null);
  }

  /** For rows beside the topic's own keys; those that are no keys of the table are left alone, and counted as are removals. */
  static PartitionSender reconciling(WriterSpec spec, KeysFound found) {
    return new PartitionSender(spec, found);
  }

  private PartitionSender(WriterSpec spec, KeysFound found) {
    this.destination = spec.destination;
    this.properties = new HashMap<>(spec.properties);
    this.upsert = spec.upsert;
    this.envelope = spec.envelope;
    this.fold = spec.fold;
    this.bufferedKeys = spec.bufferedKeys;
    this.found = found;
    this.transactions = null;
    this.done = new TreeSet<>();
  }

  private PartitionSender(PartitionSender other, String transactions, Set<Integer> done) {
    this.destination = other.destination;
    this.properties = other.properties;
    this.upsert = other.upsert;
    this.envelope = other.envelope;
    this.fold = other.fold;
    this.bufferedKeys = other.bufferedKeys;
    this.found = other.found;
    this.transactions = transactions;
    this.done = new TreeSet<>(done);
  }

  /** The same within transactions whose ids begin so; tasks that are `done` only run. */
  PartitionSender within(String transactions, Set<Integer> done) {
    return new PartitionSender(this, transactions, done);
  }

  KafkaWriteException failed(KafkaException cause) {
    return Producers.failed(properties, null, destination.name(), cause);
  }

  Iterator<Prepared> call(Iterator<InternalRow> rows) {
    if (!rows.hasNext()) {
      return Collections.emptyIterator();
    }
    Iterator<Outgoing> changes = changes(rows);
    if (transactions == null) {
      sendAtLeastOnce(changes);
      return Collections.emptyIterator();
    }
    return done.contains(TaskContext.getPartitionId()) ? drained(changes) : prepared(changes).iterator();
  }

  private static Iterator<Prepared> drained(Iterator<Outgoing> changes) {
    changes.forEachRemaining(change -> {});
    return Collections.emptyIterator();
  }

  private void sendAtLeastOnce(Iterator<Outgoing> changes) {
    Map<String, String> key = Map.copyOf(properties);
    KafkaProducer<byte[], byte[]> producer = null;
    try {
      producer = Producers.of(key);
      send(producer, changes);
    } catch (KafkaException failure) {
      throw Producers.failed(key, producer, destination.name(), failure);
    }
  }

  private List<Prepared> prepared(Iterator<Outgoing> changes) {
    TaskContext task = TaskContext.get();
    int attempt = task.stageAttemptNumber() * ATTEMPTS_OF_A_STAGE + task.attemptNumber();
    String id = ExactlyOnce.idOf(transactions, task.partitionId(), attempt);
    task.addTaskFailureListener((TaskFailureListener) (context, failure) -> Transactions.abort(id));
    try {
      if (send(Transactions.begin(id, properties), changes) > 0) {
        requireChosen(task);
        return List.of(Transactions.prepare(task.partitionId(), attempt, id));
      }
      Transactions.abort(id);
      return List.of();
    } catch (KafkaException failure) {
      throw failed(failure);
    }
  }

  /**
   * Of attempts that run at the same time, as after the loss of an executor or by speculation, only one may end well: the
   * driver hears of no other, whose transaction would stay open and hold up those who read committed records.
   */
  private static void requireChosen(TaskContext task) {
    boolean chosen = SparkEnv.get().outputCommitCoordinator()
        .canCommit(task.stageId(), task.stageAttemptNumber(), task.partitionId(), task.attemptNumber());
    if (!chosen) {
      throw new IllegalStateException(new CommitDeniedException(
          "another attempt has written this part", task.stageId(), task.partitionId(), task.attemptNumber()));
    }
  }

  private Iterator<Outgoing> changes(Iterator<InternalRow> rows) {
    Iterator<InternalRow> known = found == null ? rows : new KnownKeys(rows, found.strange());
    Iterator<Outgoing> changes = new Iterator<>() {
      @Override
      public boolean hasNext() {
        return known.hasNext();
      }

      @Override
      public Outgoing next() {
        return Outgoing.of(known.next());
      }
    };
    if (fold) {
      return upsert ? new ChangeFold(changes) : new NetChanges(changes);
    }
    if (bufferedKeys > 0) {
      return new KeyBuffer(changes, bufferedKeys);
    }
    return found == null ? changes : new FirstRemovals(changes);
  }

  /** How many records there were. */
  private long send(KafkaProducer<byte[], byte[]> producer, Iterator<Outgoing> changes) {
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    long sent = 0;
    while (changes.hasNext() && failure.get() == null) {
      Outgoing change = changes.next();
      if (found != null && change.weight < 0) {
        found.deleted().add(1L);
      }
      ProducerRecord<byte[], byte[]> record = destination.record(change, valueOf(change), producer);
      for (long copy = 0; copy < copies(change); copy++) {
        sent++;
        producer.send(record, (written, error) -> {
          if (error != null) {
            failure.compareAndSet(null, new KafkaException(error.getMessage(), error));
          }
        });
      }
    }
    producer.flush();
    if (failure.get() != null) {
      throw failure.get();
    }
    return sent;
  }

  /** Under a key one record stands for the row; elsewhere every copy of a row is a record. */
  private long copies(Outgoing change) {
    long copies = envelope == null ? change.weight : Math.abs(change.weight);
    return upsert ? Math.min(1, Math.abs(change.weight)) : copies;
  }

  private byte[] valueOf(Outgoing change) {
    if (envelope != null) {
      return envelope.around(change.value, change.weight);
    }
    if (change.weight < 0 && !upsert) {
      throw new IllegalStateException("the append-only topic '" + destination.name() + "' was given a removal");
    }
    return change.weight < 0 ? null : change.value;
  }
}
