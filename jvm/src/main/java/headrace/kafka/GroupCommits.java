package headrace.kafka;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a consumer group how far a job has come, for those who watch it. The job itself goes by its checkpoint, so that a
 * commit that fails is a warning.
 */
final class GroupCommits {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommits.class);

  /** A job that ends waits this long for its last commit. */
  private static final long LAST_COMMIT_SECONDS = 5;

  private final Cluster cluster;
  private final String group;
  private TopicOffsets told;
  private KafkaFuture<Void> last = KafkaFuture.completedFuture(null);

  /** Without a group (null) nothing is told. */
  GroupCommits(Cluster cluster, String group) {
    this.cluster = cluster;
    this.group = group;
  }

  /** Where a job begins is no progress. */
  void beginAt(TopicOffsets start) {
    told = start;
  }

  void tell(TopicOffsets done) {
    if (group == null || done.isEmpty() || done.equals(told)) {
      return;
    }
    told = done;
    last = cluster.commit(group, done.all()).whenComplete((nothing, failure) -> {
      if (failure != null) {
        LOG.warn("offsets are not committed to group {}: {}", group, failure.toString());
      }
    });
  }

  /** A client that is closed would leave a commit half done. */
  void awaitLast() {
    try {
      last.get(LAST_COMMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException uncommitted) {
      LOG.debug("the last commit to group {} failed", group, uncommitted);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
