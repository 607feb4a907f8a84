package headrace.formats;

import java.io.IOException;
import java.util.List;

/** Turns the bytes of one key or value into rows. Implementations keep no state between records. */
interface RecordReader {
  /**
   * The rows a record holds, each an array of {@code width} cells of which only this format's are set.
   *
   * @param record the bytes, or null for a record that has none
   */
  List<Object[]> read(byte[] record, int width) throws IOException;
}
