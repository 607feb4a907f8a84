package headrace.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** Offsets that a job fixes when it first looks (where it starts, where it ends), kept in its checkpoint over restarts. */
final class KeptOffsets {
  private final Path file;
  private TopicOffsets offsets;

  KeptOffsets(String checkpoint, String name) {
    this.file = new Path(checkpoint, name);
  }

  /** The kept offsets; `found` answers when none are kept yet. */
  TopicOffsets orElse(Supplier<TopicOffsets> found) {
    if (offsets == null) {
      try {
        FileSystem files = file.getFileSystem(SparkSession.active().sessionState().newHadoopConf());
        offsets = files.exists(file) ? read(files) : write(files, found.get());
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    return offsets;
  }

  private TopicOffsets read(FileSystem files) throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      return TopicOffsets.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Written beside and renamed, so that a kill leaves the whole file or none. */
  private TopicOffsets write(FileSystem files, TopicOffsets found) throws IOException {
    Path draft = file.suffix(".draft");
    try (FSDataOutputStream out = files.create(draft, true)) {
      out.write(found.json().getBytes(StandardCharsets.UTF_8));
    }
    files.rename(draft, file);
    return found;
  }
}
