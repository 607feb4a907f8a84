package headrace.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.UnknownProducerIdException;

/** The transactional producers of this JVM, by their transactional id. They are kept: making one takes the broker a while. */
final class Transactions {
  private static final Map<String, Held> OPEN = new ConcurrentHashMap<>();
  /** An id that rests for a week is forgotten by the broker; a day leaves room for other settings of it. */
  private static final long RESTED_NANOS = Duration.ofDays(1).toNanos();

  private Transactions() {}

  private static final class Held {
    final KafkaProducer<byte[], byte[]> producer;
    Prepared prepared;
    long used = System.nanoTime();

    Held(KafkaProducer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    /** What was prepared here and is not known to have ended was ended by the driver, from another JVM. */
    boolean usable() {
      return prepared == null && System.nanoTime() - used < RESTED_NANOS;
    }
  }

  /** A producer at the beginning of a transaction. One of the same id that was left open, here or elsewhere, is aborted. */
  static KafkaProducer<byte[], byte[]> begin(String id, Map<String, String> properties) {
    Held held = OPEN.get(id);
    if (held == null || !held.usable()) {
      drop(id);
      held = new Held(Producers.open(with(id, properties)));
      OPEN.put(id, held);
      held.producer.initTransactions();
    }
    held.producer.beginTransaction();
    return held.producer;
  }

  /** All records of the transaction must have been acknowledged. */
  static Prepared prepare(int task, int attempt, String id) {
    Held held = OPEN.get(id);
    held.prepared = TransactionState.prepared(task, attempt, id, held.producer);
    return held.prepared;
  }

  static void abort(String id) {
    Held held = OPEN.remove(id);
    if (held == null) {
      return;
    }
    try {
      held.producer.abortTransaction();
    } catch (KafkaException | IllegalStateException already) {
      // The broker ends it when the id is used next, or when its time is over.
    } finally {
      held.producer.close(Duration.ZERO);
    }
  }

  /** Whether the transaction is committed, now or before; if not, the broker has ended it long ago. */
  static boolean commit(Prepared transaction, Map<String, String> properties) {
    Held held = OPEN.get(transaction.id());
    boolean own = held != null && transaction.equals(held.prepared);
    KafkaProducer<byte[], byte[]> producer = own ? held.producer : resumed(transaction, properties);
    try {
      producer.commitTransaction();
      if (own) {
        held.prepared = null;
        held.used = System.nanoTime();
      }
      return true;
    } catch (ProducerFencedException
        | InvalidProducerEpochException
        | InvalidTxnStateException
        | InvalidPidMappingException
        | UnknownProducerIdException
        | TransactionAbortableException gone) {
      drop(transaction.id());
      return false;
    } finally {
      if (!own) {
        producer.close(Duration.ZERO);
      }
    }
  }

  /** Closes the producers of a sink, whose ids begin alike. */
  static void forget(String prefix) {
    OPEN.keySet().stream().filter(id -> id.startsWith(prefix)).forEach(Transactions::drop);
  }

  private static KafkaProducer<byte[], byte[]> resumed(Prepared transaction, Map<String, String> properties) {
    KafkaProducer<byte[], byte[]> producer = Producers.open(with(transaction.id(), properties));
    TransactionState.resume(producer, transaction);
    return producer;
  }

  private static void drop(String id) {
    Held held = OPEN.remove(id);
    if (held != null) {
      held.producer.close(Duration.ZERO);
    }
  }

  private static Map<String, String> with(String id, Map<String, String> properties) {
    Map<String, String> own = new HashMap<>(properties);
    own.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    return own;
  }
}
