package headrace.kafka;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes batches in transactions, in two steps. Every task prepares one of its own: it ends when the broker has all its records.
 * When all tasks have, the decision to commit is put on the disk, and then the transactions are committed. A process that dies
 * before the decision leaves nothing that anybody sees, and the batch is written anew; after it, the next process commits the
 * very transactions that were prepared and only runs the batch for the state of its operators.
 */
final class ExactlyOnce {
  /** A commit is mostly waiting for the broker. */
  private static final int COMMITS_AT_A_TIME = 8;

  private final String prefix;
  private final Map<String, String> properties;
  private final TransactionLog log;
  private final boolean asksBroker;
  private boolean cleaned;

  /** `asksBroker`: transactions that were left open are looked for at the broker, instead of remembered. */
  ExactlyOnce(String prefix, Map<String, String> properties, TransactionLog log, boolean asksBroker) {
    this.prefix = prefix;
    this.properties = properties;
    this.log = log;
    this.asksBroker = asksBroker;
  }

  void write(RDD<InternalRow> rows, PartitionSender sender, long batch) {
    try {
      writeOnce(rows, sender, batch);
    } catch (KafkaException failure) {
      throw sender.failed(failure);
    }
  }

  private void writeOnce(RDD<InternalRow> rows, PartitionSender sender, long batch) {
    Set<Integer> committed = Set.of();
    TransactionLog.Decision made = log.decision();
    if (made != null && made.batch() == batch) {
      committed = committedOf(made);
      if (committed.size() == made.committed().size() + made.prepared().size() && !made.prepared().isEmpty()) {
        rows.toJavaRDD().foreachPartition(ExactlyOnce::drain);
        return;
      }
      requireSameTasks(made, committed, rows.getNumPartitions());
      // Beginning anew ends the epochs of all ids, after which nobody can ask any more what became of them.
      log.decide(new TransactionLog.Decision(batch, made.tasks(), List.copyOf(committed), List.of()));
    }
    abortLeftOpen();
    writeAllBut(committed, rows, sender, batch);
  }

  private void writeAllBut(Set<Integer> committed, RDD<InternalRow> rows, PartitionSender sender, long batch) {
    int tasks = rows.getNumPartitions();
    log.remember(tasks);
    List<Prepared> prepared = prepare(rows, sender.within(prefix, committed), tasks);
    if (prepared.isEmpty()) {
      return;
    }
    log.decide(new TransactionLog.Decision(batch, tasks, List.copyOf(committed), prepared));
    if (commit(prepared).size() < prepared.size()) {
      throw new KafkaException("the broker ended a transaction before it could be committed: a batch took longer than"
          + " transaction.timeout.ms, " + properties.get("transaction.timeout.ms"));
    }
  }

  private List<Prepared> prepare(RDD<InternalRow> rows, PartitionSender sender, int tasks) {
    try {
      List<Prepared> prepared = SendTask.run(rows, sender);
      OpenTransactions.abort(earlierAttempts(prepared), properties);
      return prepared;
    } catch (Throwable failure) {
      abandon(tasks);
      throw failure;
    }
  }

  /** The tasks whose part of the batch is committed. */
  private Set<Integer> committedOf(TransactionLog.Decision made) {
    Set<Integer> committed = new TreeSet<>(made.committed());
    commit(made.prepared()).forEach(transaction -> committed.add(transaction.task()));
    return committed;
  }

  /** Those that are committed now. What is decided is done also while the job is being stopped: joining is not interrupted. */
  private List<Prepared> commit(List<Prepared> prepared) {
    ExecutorService threads = Executors.newFixedThreadPool(COMMITS_AT_A_TIME);
    try {
      List<CompletableFuture<Boolean>> answers = prepared.stream()
          .map(each -> CompletableFuture.supplyAsync(() -> Transactions.commit(each, properties), threads))
          .toList();
      return IntStream.range(0, answers.size()).filter(n -> answers.get(n).join()).mapToObj(prepared::get).toList();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof KafkaException told ? told : new KafkaException(failure.getCause());
    } finally {
      threads.shutdown();
    }
  }

  /** A part that is to be written again is known by its task. */
  private static void requireSameTasks(TransactionLog.Decision made, Set<Integer> committed, int tasks) {
    if (!committed.isEmpty() && made.tasks() != tasks) {
      throw new KafkaException("a part of a batch was lost when its transaction timed out, and the sink wrote it with "
          + made.tasks() + " tasks instead of " + tasks);
    }
  }

  private void abortLeftOpen() {
    if (cleaned) {
      return;
    }
    Transactions.forget(prefix);
    OpenTransactions.abort(
        asksBroker ? OpenTransactions.startingWith(prefix, properties) : firstAttempts(log.tasksEver()), properties);
    cleaned = true;
  }

  /** After a failure nobody should have to wait for what will not be committed. A stopped thread must still be able to ask. */
  private void abandon(int tasks) {
    boolean stopped = Thread.interrupted();
    try {
      Transactions.forget(prefix);
      OpenTransactions.abort(firstAttempts(tasks), properties);
    } catch (KafkaException unreachable) {
      cleaned = false;
    } finally {
      if (stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Collection<String> firstAttempts(int tasks) {
    return IntStream.range(0, tasks).mapToObj(task -> idOf(prefix, task, 0)).toList();
  }

  /** A task that was lost with its machine could not abort by itself. */
  private List<String> earlierAttempts(List<Prepared> prepared) {
    return prepared.stream()
        .flatMap(winner -> IntStream.range(0, winner.attempt()).mapToObj(n -> idOf(prefix, winner.task(), n)))
        .toList();
  }

  /** Every attempt of a task has an id of its own, so that a late one cannot fence the one that is prepared. */
  static String idOf(String prefix, int task, int attempt) {
    return prefix + "-" + task + (attempt == 0 ? "" : "-" + attempt);
  }

  private static void drain(Iterator<InternalRow> rows) {
    while (rows.hasNext()) {
      rows.next();
    }
  }
}
