package headrace.formats;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Turns one row into the bytes of a key or value. Implementations keep no state between records. */
interface RecordWriter {
  /** The bytes, or null where the format says a row has none. */
  byte[] write(InternalRow row) throws IOException;
}
