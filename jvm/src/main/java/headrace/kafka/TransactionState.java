package headrace.kafka;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.utils.ProducerIdAndEpoch;

/**
 * The transaction inside of a producer. Kafka's client can only end transactions that it has begun itself, and a process that
 * was killed cannot: so the client is told what the dead one knew, for which there is no public way.
 */
final class TransactionState {
  private final Object manager;

  private TransactionState(KafkaProducer<byte[], byte[]> producer) {
    this.manager = read(producer, "transactionManager");
  }

  static Prepared prepared(int task, int attempt, String id, KafkaProducer<byte[], byte[]> producer) {
    ProducerIdAndEpoch known = (ProducerIdAndEpoch) read(new TransactionState(producer).manager, "producerIdAndEpoch");
    return new Prepared(task, attempt, id, known.producerId, known.epoch);
  }

  /** Puts a new producer into the middle of the transaction. */
  static void resume(KafkaProducer<byte[], byte[]> producer, Prepared transaction) {
    TransactionState state = new TransactionState(producer);
    synchronized (state.manager) {
      state.move("INITIALIZING");
      state.write("producerIdAndEpoch", new ProducerIdAndEpoch(transaction.producerId(), transaction.epoch()));
      state.move("READY");
      state.move("IN_TRANSACTION");
      state.write("transactionStarted", true);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private void move(String name) {
    try {
      Class<? extends Enum> states = (Class<? extends Enum>) field(manager, "currentState").getType();
      Method transition = manager.getClass().getDeclaredMethod("transitionTo", states);
      transition.setAccessible(true);
      transition.invoke(manager, Enum.valueOf(states, name));
    } catch (ReflectiveOperationException unknown) {
      throw anotherClient(unknown);
    }
  }

  private void write(String name, Object value) {
    try {
      field(manager, name).set(manager, value);
    } catch (ReflectiveOperationException unknown) {
      throw anotherClient(unknown);
    }
  }

  private static Object read(Object owner, String name) {
    try {
      return field(owner, name).get(owner);
    } catch (ReflectiveOperationException unknown) {
      throw anotherClient(unknown);
    }
  }

  private static Field field(Object owner, String name) throws NoSuchFieldException {
    Field found = owner.getClass().getDeclaredField(name);
    found.setAccessible(true);
    return found;
  }

  private static IllegalStateException anotherClient(Exception cause) {
    return new IllegalStateException("this Kafka client keeps its transactions in another way", cause);
  }
}
