package headrace.operators;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps the last row of each key and turns upserts into weighted rows. A tombstone for an unknown key says nothing, an
 * update to an equal row is swallowed, and of several records in one batch only the last is seen.
 */
final class Normalize extends StatefulProcessor<Row, Row, Row> {
  private final NormalizeSpec spec;
  private final StructType kept;
  private final int[] keptIndex;
  private final int[] outputIndex;
  private final int partition;
  private final int offset;
  private final int weight;
  private transient ValueState<Row> last;

  Normalize(NormalizeSpec spec, StructType input, StructType kept, StructType output) {
    this.spec = spec;
    this.kept = kept;
    this.keptIndex = indexes(input, kept);
    this.outputIndex = indexes(input, output);
    this.partition = input.fieldIndex(Weights.PARTITION);
    this.offset = input.fieldIndex(Weights.OFFSET);
    this.weight = input.fieldIndex(Weights.WEIGHT);
  }

  private static int[] indexes(StructType input, StructType wanted) {
    return java.util.Arrays.stream(wanted.fieldNames()).mapToInt(input::fieldIndex).toArray();
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    last = getHandle().getValueState("last", Encoders.row(kept), Spec.ttl(spec.ttlMillis()));
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> rows, TimerValues timers) {
    Row newest = newest(rows);
    Row before = last.exists() ? last.get() : null;
    boolean present = newest.getLong(weight) > 0;
    Row after = present ? pick(newest, keptIndex) : null;
    if (before == null ? after == null : before.equals(after)) {
      return CollectionConverters.asScala(List.<Row>of().iterator());
    }
    List<Row> out = new ArrayList<>(2);
    if (before != null && (spec.retract() || !present)) {
      out.add(emit(key, newest, before, -1L));
    }
    if (present) {
      last.update(after);
      out.add(emit(key, newest, after, 1L));
    } else {
      last.clear();
    }
    return CollectionConverters.asScala(out.iterator());
  }

  /** At the same place (elements of one record) the later one wins, as rows of a task keep their order. */
  private Row newest(Iterator<Row> rows) {
    Row best = rows.next();
    while (rows.hasNext()) {
      Row next = rows.next();
      int byPartition = Integer.compare(next.getInt(partition), best.getInt(partition));
      if (byPartition > 0 || (byPartition == 0 && next.getLong(offset) >= best.getLong(offset))) {
        best = next;
      }
    }
    return best;
  }

  private static Row pick(Row row, int[] index) {
    Object[] values = new Object[index.length];
    for (int i = 0; i < index.length; i++) {
      values[i] = row.get(index[i]);
    }
    return RowFactory.create(values);
  }

  /** Key columns come from the record, which has the same ones; the rest from the row kept. */
  private Row emit(Row key, Row record, Row values, long rowWeight) {
    Object[] out = new Object[outputIndex.length];
    for (int i = 0; i < out.length; i++) {
      int keptAt = position(keptIndex, outputIndex[i]);
      out[i] = outputIndex[i] == weight ? (Object) rowWeight : keptAt < 0 ? record.get(outputIndex[i]) : values.get(keptAt);
    }
    return RowFactory.create(out);
  }

  private static int position(int[] index, int wanted) {
    for (int i = 0; i < index.length; i++) {
      if (index[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
