package headrace.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Transactions that a dead process left open: until they end, nobody who reads committed records gets past them. */
final class OpenTransactions {
  private OpenTransactions() {}

  /** Needs a broker of Kafka 3.0 or later, and the right to describe the ids. */
  static List<String> startingWith(String prefix, Map<String, String> properties) {
    ListTransactionsOptions open = new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
    return asking(properties, admin -> admin.listTransactions(open).all().get().stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> id.startsWith(prefix))
        .toList());
  }

  /** Each id is a question of its own: of several in one, the client asks one after the other, with a pause of a second. */
  static void abort(Collection<String> ids, Map<String, String> properties) {
    if (!ids.isEmpty()) {
      asking(properties, admin -> KafkaFuture.allOf(ids.stream()
              .map(id -> admin.fenceProducers(List.of(id)).all())
              .toArray(KafkaFuture<?>[]::new))
          .get());
    }
  }

  private static <T> T asking(Map<String, String> properties, Question<T> question) {
    try (Admin admin = Admin.create(new HashMap<String, Object>(properties))) {
      return question.answer(admin);
    } catch (ExecutionException failure) {
      throw new KafkaException(failure.getCause().getMessage(), failure.getCause());
    } catch (InterruptedException stopped) {
      throw new InterruptException(stopped);
    }
  }

  private interface Question<T> {
    T answer(Admin admin) throws ExecutionException, InterruptedException;
  }
}
