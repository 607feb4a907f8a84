package headrace.lake;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What became of one partition's records in a batch; goes to the driver as JSON. */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
final class PartitionReport {
  /** The driver is told of so many; the others are counted. */
  record Failed(long offset, String kind, String message, String stage) {}

  final String topic;
  final int partition;
  private final List<PendingFile> files = new ArrayList<>();
  private Failed failure;
  private long failures;
  private boolean newSchema;
  private Failed clash;
  private final Set<String> names = new TreeSet<>();
  private long next = -1;
  private long held = -1;
  private long last = -1;

  PartitionReport(String topic, int partition) {
    this.topic = topic;
    this.partition = partition;
  }

  /** The round must be done again with all schemas. */
  void metNewSchema() {
    newSchema = true;
  }

  /** A record is without a schema where those before it have one, or the other way round: the partition ends here. */
  void clashed(LakeRecord record) {
    clash = new Failed(record.offset(), null, null, null);
  }

  /** A file is named after this topic. */
  void named(String name) {
    names.add(name);
  }

  void failed(LakeRecord record) {
    if (failures++ == 0) {
      failure = new Failed(record.offset(), record.error(), record.message(), record.stage());
    }
  }

  /** A record went by; where no file is open, all up to it is done with. */
  void passed(long offset, boolean nothingOpen) {
    last = offset;
    if (nothingOpen) {
      next = offset + 1;
      held = -1;
    }
  }

  /** A record is in a file that is open; `first` of those since the last cut. */
  void opened(long offset, boolean first) {
    last = offset;
    if (first) {
      held = offset;
    }
  }

  /** The open files end before this offset; they are added when the store has them. */
  void cut(long until) {
    next = until;
    held = -1;
  }

  void add(PendingFile file) {
    files.add(file);
  }

  long last() {
    return last;
  }
}
