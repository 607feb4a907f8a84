package headrace.lake;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The bytes of a file on their way to a store. */
abstract class Upload extends OutputStream {
  /** All bytes are there once this returns: what the store needs to make the file appear. */
  abstract Ticket finish() throws IOException;

  abstract void abort() throws IOException;

  /**
   * What a store knows an upload by.
   *
   * @param id of the upload, or the place where its bytes lie
   * @param parts what the store answered for each part
   */
  record Ticket(String id, List<String> parts) {}
}
