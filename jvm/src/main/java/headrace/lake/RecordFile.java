package headrace.lake;

import java.io.Closeable;
import java.io.IOException;

/** A file of records that are encoded already. Closing writes what is held back, and leaves the upload open. */
interface RecordFile extends Closeable {
  void write(byte[] record) throws IOException;
}
