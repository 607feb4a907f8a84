package headrace.operators;

import java.util.Arrays;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps the last row of each key and turns upserts into weighted rows. A tombstone for an unknown key says nothing, an
 * update to an equal row is swallowed, and of several records in one batch only the last is seen.
 */
final class Normalize extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;

  private final NormalizeSpec spec;
  private transient ValueState<byte[]> last;

  Normalize(NormalizeSpec spec) {
    this.spec = spec;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    last = getHandle().getValueState("last", Encoders.BINARY(), Spec.ttl(spec.ttlMillis()));
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> records, TimerValues timers) {
    Row newest = records.next();
    while (records.hasNext()) {
      newest = NewestPerKey.newer(newest, records.next());
    }
    byte[] after = newest.getLong(NewestPerKey.WEIGHT) > 0 ? newest.getAs(NewestPerKey.ROW) : null;
    byte[] before = last.get();
    if (after == null) {
      last.clear();
    } else if (!Arrays.equals(before, after)) {
      last.update(after);
    }
    return CollectionConverters.asScala(Replacement.of(before, after, spec.retract()).iterator());
  }
}
