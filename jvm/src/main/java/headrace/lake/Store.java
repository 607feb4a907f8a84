package headrace.lake;

import java.io.IOException;
import java.io.Serializable;

/** Where files go. A task uploads them out of sight; the driver makes them appear once it has written down that it will. */
interface Store extends Serializable {
  /** Begins a file under a key. */
  Upload begin(String key) throws IOException;

  /** Makes an uploaded file appear; once more is no harm. */
  void complete(PendingFile file) throws IOException;

  /** Forgets an uploaded file. */
  void abort(PendingFile file) throws IOException;
}
