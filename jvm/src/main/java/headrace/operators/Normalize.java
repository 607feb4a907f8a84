package headrace.operators;

import java.util.Arrays;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps the last row of each key and turns upserts into weighted rows. A tombstone for an unknown key says nothing, an
 * update to an equal row is swallowed, and of several records in one batch only the last is seen.
 */
final class Normalize extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;

  private static final int KEY = 0;
  private static final int ROW = 1;
  private static final int PARTITION = 2;
  private static final int OFFSET = 3;
  private static final int WEIGHT = 4;

  private final NormalizeSpec spec;
  private final StructType keys;
  private transient GroupStates states;
  private transient GroupValue last;

  Normalize(NormalizeSpec spec, StructType keys) {
    this.spec = spec;
    this.keys = keys;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new GroupStates(getHandle(), keys);
    last = states.value("last", spec.ttlMillis());
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> records, TimerValues timers) {
    Row newest = records.next();
    while (records.hasNext()) {
      newest = newer(newest, records.next());
    }
    byte[] after = newest.getLong(WEIGHT) > 0 ? newest.getAs(ROW) : null;
    states.at(newest.getAs(KEY));
    byte[] before = last.get();
    if (after == null && before != null) {
      last.clear();
    } else if (after != null && !Arrays.equals(before, after)) {
      last.update(after);
    }
    return CollectionConverters.asScala(Replacement.of(before, after, spec.retract()).iterator());
  }

  /**
   * By (partition, offset); a record that holds a key twice is decided by its reader, except that a row which comes with a record
   * stays when another of the same key goes with it.
   */
  private static Row newer(Row held, Row next) {
    int byPlace = Integer.compare(next.getInt(PARTITION), held.getInt(PARTITION));
    if (byPlace == 0) {
      byPlace = Long.compare(next.getLong(OFFSET), held.getLong(OFFSET));
    }
    boolean later = byPlace > 0 || (byPlace == 0 && (next.getLong(WEIGHT) > 0 || held.getLong(WEIGHT) < 0));
    return later ? next : held;
  }
}
