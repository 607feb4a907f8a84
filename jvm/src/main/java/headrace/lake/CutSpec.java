package headrace.lake;

import java.io.Serializable;
import java.util.List;

/**
 * How the records of a partition are cut into files.
 *
 * @param flushSize records of a partition, over all its open files, after which they are closed
 * @param mostOpen open files of a partition beyond which they are closed before one more; 0 or less for any number
 * @param intervalMillis span of the records' time after which they are; 0 or less for never
 * @param onPathChange whether with an interval they are also closed when a record goes elsewhere than the one before
 * @param atEnd whether they are closed at the end of the batch: a scheduled moment has passed
 * @param nowMillis the time of the batch's end where records have that of their arrival; null where they have their own
 * @param tolerates whether records with errors are passed over; else the partition ends before the first
 * @param schemas a number for each batch of records; records of another number are of another schema
 * @param targets for each batch, those into whose files its records go in their schema
 * @param clashes for each batch, those whose files its records must not meet
 */
record CutSpec(
    long flushSize,
    int mostOpen,
    long intervalMillis,
    boolean onPathChange,
    boolean atEnd,
    Long nowMillis,
    boolean tolerates,
    List<Integer> schemas,
    List<List<Integer>> targets,
    List<List<Integer>> clashes,
    String topicsDir,
    String directoryDelimiter,
    String fileDelimiter,
    int padding,
    FileSpec values,
    FileSpec keys,
    FileSpec headers,
    StoreSpec store)
    implements Serializable {
  static CutSpec parse(String text) {
    return StoreSpec.read(text, CutSpec.class);
  }

  /** The name of a file without its extension. */
  String name(String topic, String path, int partition, long offset) {
    String number = padding == 0 ? Long.toString(offset) : ("%0" + padding + "d").formatted(offset);
    String file = String.join(fileDelimiter, topic, Integer.toString(partition), number);
    String within = String.join(directoryDelimiter, topic, path, file);
    return topicsDir.isEmpty() ? within : topicsDir + directoryDelimiter + within;
  }

  @Override
  public String toString() {
    return "CutSpec";
  }
}
