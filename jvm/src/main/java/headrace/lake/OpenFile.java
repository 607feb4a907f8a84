package headrace.lake;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One output partition's file, and the files of keys and headers beside it. */
final class OpenFile {
  /** Threads that wait for the store; a partition has as many uploads under way as files of one cut. */
  private static final ExecutorService UPLOADS = Executors.newCachedThreadPool(work -> {
    Thread thread = new Thread(work, "headrace-upload");
    thread.setDaemon(true);
    return thread;
  });

  private record Part(String key, Upload upload, RecordFile file) {}

  final int batch;
  private final List<Part> parts = new ArrayList<>();
  private final Part values;
  private final Part keys;
  private final Part headers;
  private final long start;
  private long end;
  private long records;

  /** `batch` tells the schemas; a file of tombstones has keys only. */
  OpenFile(CutSpec spec, Store store, String name, int batch, boolean tombstones, long start) throws IOException {
    this.batch = batch;
    this.start = start;
    values = tombstones ? null : part(spec.values(), store, name, batch);
    keys = part(spec.keys(), store, name, batch);
    headers = tombstones ? null : part(spec.headers(), store, name, batch);
  }

  private Part part(FileSpec spec, Store store, String name, int batch) throws IOException {
    if (spec == null) {
      return null;
    }
    String key = name + spec.extension();
    Upload upload = store.begin(key);
    Part part = new Part(key, upload, spec.open(upload, batch));
    parts.add(part);
    return part;
  }

  void write(long offset, byte[] value, byte[] key, byte[] header) throws IOException {
    if (values != null) {
      values.file().write(value);
    }
    if (keys != null) {
      keys.file().write(key);
    }
    if (headers != null) {
      headers.file().write(header);
    }
    end = offset;
    records++;
  }

  /** Ends the files here; what is left of the uploads goes on beside the next records. */
  List<Future<PendingFile>> finish() throws IOException {
    List<Future<PendingFile>> done = new ArrayList<>();
    for (Part part : parts) {
      part.file().close();
      done.add(UPLOADS.submit(() -> {
        Upload.Ticket ticket = part.upload().finish();
        return new PendingFile(part.key(), ticket.id(), ticket.parts(), start, end, records);
      }));
    }
    return done;
  }

  void abort() throws IOException {
    for (Part part : parts) {
      part.upload().abort();
    }
  }
}
