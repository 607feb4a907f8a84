package headrace.lake;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Cuts the records of one partition of a topic into files, record by record, as Connect's sink does: before a record is
 * written it may close the files by time, then by its schema; afterwards their size may. All open files of the partition
 * are closed at once, so that everything before the next record is done with.
 */
final class PartitionCuts {
  private static final int TOMBSTONES = -1;

  private final CutSpec spec;
  private final Store store;
  private final PartitionReport report;
  private final Map<String, OpenFile> open = new LinkedHashMap<>();
  private final Map<String, Integer> schemas = new HashMap<>();
  private final List<Future<PendingFile>> uploading = new ArrayList<>();
  private long records;
  private Long began;
  private String path;

  PartitionCuts(CutSpec spec, Store store, String topic, int partition) {
    this.spec = spec;
    this.store = store;
    this.report = new PartitionReport(topic, partition);
  }

  /** False where the partition ends before this record. */
  boolean take(LakeRecord record) throws IOException {
    if (record.ofNewSchema()) {
      report.metNewSchema();
      return false;
    }
    if (record.error() != null) {
      report.failed(record);
      if (!spec.tolerates()) {
        return false;
      }
    } else if (!record.skipped()) {
      if (clashes(record)) {
        report.clashed(record);
        return false;
      }
      write(record);
    }
    report.passed(record.offset(), open.isEmpty());
    return true;
  }

  private void write(LakeRecord record) throws IOException {
    if (!open.isEmpty() && (timeIsUp(record) || otherSchema(record) || tooMany(record))) {
      cut(record.offset());
    }
    if (began == null) {
      began = record.clock();
    }
    path = record.path();
    report.opened(record.offset(), open.isEmpty());
    OpenFile file = open.get(record.path());
    if (file == null) {
      String name = spec.name(record.topic(), record.path(), report.partition, record.offset());
      file = new OpenFile(spec, store, name, record.batch(), record.tombstone(), record.offset());
      open.put(record.path(), file);
      schemas.put(record.path(), schema(record));
      report.named(record.topic());
    }
    file.write(record.offset(), value(record, file), record.key(), record.headers());
    if (++records >= spec.flushSize()) {
      cut(record.offset() + 1);
    }
  }

  private boolean timeIsUp(LakeRecord record) {
    if (spec.intervalMillis() <= 0 || record.clock() == null || began == null) {
      return false;
    }
    boolean elsewhere = spec.onPathChange() && !Objects.equals(path, record.path());
    return elsewhere || record.clock() - began >= spec.intervalMillis();
  }

  /** By the wall's clock an interval also ends while no record comes. */
  private boolean isOverdue() {
    return spec.nowMillis() != null
        && spec.intervalMillis() > 0
        && began != null
        && spec.nowMillis() - began >= spec.intervalMillis();
  }

  private boolean otherSchema(LakeRecord record) {
    OpenFile file = open.get(record.path());
    return file != null && !sameSchema(record) && target(record, file) < 0;
  }

  private boolean tooMany(LakeRecord record) {
    return spec.mostOpen() > 0 && open.size() >= spec.mostOpen() && !open.containsKey(record.path());
  }

  private boolean sameSchema(LakeRecord record) {
    return schemas.get(record.path()) == schema(record);
  }

  /** Where among the record's values that in the schema of the file is; negative where there is none. */
  private int target(LakeRecord record, OpenFile file) {
    boolean tombstones = record.tombstone() || schemas.get(record.path()) == TOMBSTONES;
    return tombstones ? -1 : spec.targets().get(record.batch()).indexOf(file.batch);
  }

  private byte[] value(LakeRecord record, OpenFile file) {
    return sameSchema(record) ? record.value() : record.projected().get(target(record, file));
  }

  private boolean clashes(LakeRecord record) {
    OpenFile file = open.get(record.path());
    if (file == null || record.tombstone() || schemas.get(record.path()) == TOMBSTONES) {
      return false;
    }
    return spec.clashes().get(record.batch()).contains(file.batch);
  }

  /** Tombstones are of any schema. */
  private int schema(LakeRecord record) {
    return record.tombstone() ? TOMBSTONES : spec.schemas().get(record.batch());
  }

  private void cut(long next) throws IOException {
    // One cut at a time is under way, so that memory does not grow where the store is slower than the records.
    await();
    for (OpenFile file : open.values()) {
      uploading.addAll(file.finish());
    }
    report.cut(next);
    forget();
  }

  /** Waits for the files of the last cut. */
  private void await() throws IOException {
    try {
      for (Future<PendingFile> upload : uploading) {
        report.add(upload.get());
      }
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    uploading.clear();
  }

  private void forget() {
    open.clear();
    schemas.clear();
    records = 0;
    began = null;
    path = null;
  }

  /** What is left open is not kept, unless the batch ends at a scheduled moment, or an interval has passed. */
  PartitionReport finish() throws IOException {
    if (!open.isEmpty() && (spec.atEnd() || isOverdue())) {
      cut(report.last() + 1);
    }
    await();
    abort();
    return report;
  }

  void abort() throws IOException {
    uploading.forEach(upload -> upload.cancel(true));
    for (OpenFile file : open.values()) {
      file.abort();
    }
    forget();
  }
}
