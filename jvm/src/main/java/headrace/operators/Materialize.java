package headrace.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ListState;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows folded onto a sink's key that is not their own: all rows of a key are kept in order of arrival, the newest is
 * what the sink shows, and when it goes the one before it comes back.
 */
final class Materialize extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;
  static final int ROW = 1;
  static final int WEIGHT = 2;

  private final NormalizeSpec spec;
  private transient ListState<byte[]> rows;

  Materialize(NormalizeSpec spec) {
    this.spec = spec;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    rows = getHandle().getListState("rows", Encoders.BINARY(), Spec.ttl(spec.ttlMillis()));
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> input, TimerValues timers) {
    List<byte[]> held = load();
    byte[] before = newest(held);
    Map<BytesKey, Long> changes = new HashMap<>();
    while (input.hasNext()) {
      Row change = input.next();
      changes.merge(new BytesKey(change.getAs(ROW)), change.getLong(WEIGHT), Long::sum);
    }
    apply(held, changes);
    store(held);
    return CollectionConverters.asScala(Replacement.of(before, newest(held), spec.retract()).iterator());
  }

  private List<byte[]> load() {
    List<byte[]> held = new ArrayList<>();
    Iterator<byte[]> stored = rows.get();
    while (stored.hasNext()) {
      held.add(stored.next());
    }
    return held;
  }

  private void store(List<byte[]> held) {
    if (held.isEmpty()) {
      rows.clear();
    } else {
      rows.put(held.toArray(byte[][]::new));
    }
  }

  /** Rows of one batch have no order among themselves; by their bytes it is at least always the same one. */
  private static void apply(List<byte[]> held, Map<BytesKey, Long> changes) {
    List<byte[]> added = new ArrayList<>();
    changes.forEach((row, weight) -> {
      for (long copy = weight; copy < 0; copy++) {
        removeNewest(held, row.bytes);
      }
      for (long copy = 0; copy < weight; copy++) {
        added.add(row.bytes);
      }
    });
    added.sort(Arrays::compareUnsigned);
    held.addAll(added);
  }

  private static void removeNewest(List<byte[]> held, byte[] row) {
    for (int i = held.size() - 1; i >= 0; i--) {
      if (Arrays.equals(held.get(i), row)) {
        held.remove(i);
        return;
      }
    }
  }

  private static byte[] newest(List<byte[]> held) {
    return held.isEmpty() ? null : held.get(held.size() - 1);
  }
}
