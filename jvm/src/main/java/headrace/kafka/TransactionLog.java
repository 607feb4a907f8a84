package headrace.kafka;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What a sink must know after its process died, in two files. The decision to commit a batch lies in the checkpoint, since it
 * means something with that only; how many tasks ever had transactions outlives it.
 */
final class TransactionLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path decision;
  private final Path used;

  /** `committed`: tasks of the batch that had ended well when the rest of it had to be written again. */
  record Decision(long batch, int tasks, List<Integer> committed, List<Prepared> prepared) {}

  record Used(int tasks) {}

  TransactionLog(Path decision, Path used) {
    this.decision = decision;
    this.used = used;
  }

  /** The newest decision, or null. */
  Decision decision() {
    return read(decision, Decision.class);
  }

  /** From now on the batch is to be committed, whatever happens. */
  void decide(Decision made) {
    write(decision, made);
  }

  int tasksEver() {
    Used known = read(used, Used.class);
    return known == null ? 0 : known.tasks();
  }

  void remember(int tasks) {
    if (tasks > tasksEver()) {
      write(used, new Used(tasks));
    }
  }

  private static <T> T read(Path file, Class<T> type) {
    try {
      return Files.exists(file) ? JSON.readValue(file.toFile(), type) : null;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Whole or not at all, and on the disk before anything follows from it. */
  private static void write(Path file, Object content) {
    Path draft = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.createDirectories(file.getParent());
      Files.write(draft, JSON.writeValueAsBytes(content));
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel folder = FileChannel.open(file.getParent())) {
        folder.force(true);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
