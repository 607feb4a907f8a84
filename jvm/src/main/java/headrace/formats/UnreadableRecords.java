package headrace.formats;

import java.io.Serializable;

/** Takes the records that cannot be decoded, where a job is to go on without them. Travels to the tasks with the decoder. */
public interface UnreadableRecords extends Serializable {
  void take(RawRecord record, RecordException reason);
}
