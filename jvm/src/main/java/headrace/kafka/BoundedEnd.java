package headrace.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** Where a bounded source ends: the offsets seen when the job first looked, kept in its checkpoint over restarts. */
final class BoundedEnd {
  private final Path file;
  private String offsets;

  BoundedEnd(String checkpoint) {
    this.file = new Path(checkpoint, "end");
  }

  /** The end as JSON; `latest` becomes it when none is fixed yet. */
  String fixedAt(String latest) {
    if (offsets == null) {
      try {
        FileSystem files = file.getFileSystem(SparkSession.active().sessionState().newHadoopConf());
        offsets = files.exists(file) ? read(files) : write(files, latest);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    return offsets;
  }

  private String read(FileSystem files) throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Written beside and renamed, so that a kill leaves the whole file or none. */
  private String write(FileSystem files, String latest) throws IOException {
    Path draft = file.suffix(".draft");
    try (FSDataOutputStream out = files.create(draft, true)) {
      out.write(latest.getBytes(StandardCharsets.UTF_8));
    }
    files.rename(draft, file);
    return latest;
  }
}
