package headrace.formats;

import java.io.IOException;
import java.util.List;

/** Turns the bytes of one value into changes. Implementations keep no state between records. */
interface ChangeReader {
  /** `record` is null for a record without a value. */
  List<Change> read(byte[] record) throws IOException;
}
