package headrace.lake;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import headrace.operators.InternalRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;

/** Records as files of a lake: written by tasks, made to appear by the driver. */
public final class LakeSink {
  /** Requests of the driver at a time; each is small and waits for the store. */
  private static final int REQUESTS = 16;

  private static final ObjectMapper JSON = new ObjectMapper();

  private LakeSink() {}

  /** A report for each partition of a topic, as JSON; `records` has one column, see {@link LakeRecord}. */
  public static List<String> write(Dataset<Row> records, String spec) {
    return InternalRows.of(records).mapPartitions(new Cutter(CutSpec.parse(spec)), Encoders.STRING()).collectAsList();
  }

  /** Makes files appear that reports have named; once more is no harm. */
  public static void complete(String store, String files) throws IOException {
    Store target = StoreSpec.parse(store).open();
    forEach(files, target::complete);
  }

  /** Forgets files that reports have named. */
  public static void abort(String store, String files) throws IOException {
    Store target = StoreSpec.parse(store).open();
    forEach(files, target::abort);
  }

  private interface Work {
    void on(PendingFile file) throws IOException;
  }

  private static void forEach(String files, Work each) throws IOException {
    List<PendingFile> pending = JSON.readValue(files, new TypeReference<List<PendingFile>>() {});
    ExecutorService threads = Executors.newFixedThreadPool(REQUESTS);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      pending.forEach(file -> work.add(() -> {
        each.on(file);
        return null;
      }));
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while files were made to appear", stopped);
    } finally {
      threads.shutdown();
    }
  }
}
