package headrace.operators;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;

/**
 * How often each value of one argument occurs in a group, shared by all calls over that argument. A batch is summed up
 * per value first, so the state store is asked once per value; calls hear only of values that appear or vanish.
 */
final class DistinctValues implements Serializable {
  /** Bounds the memory one group takes in a batch: about 100 bytes an entry, so 100 MB at the most. */
  private static final int MAX_PENDING = 1_000_000;

  private final String name;
  private final AggregateCall reader;
  private final List<AggregateCall> calls = new ArrayList<>();
  private transient MapState<Row, Long> counts;
  private transient Map<Object, Long> pending;

  DistinctValues(int number, AggregateCall reader) {
    this.name = "values" + number;
    this.reader = reader;
  }

  void serve(AggregateCall call) {
    calls.add(call);
  }

  void open(StatefulProcessorHandle handle, TTLConfig ttl) {
    StructField value = DataTypes.createStructField("value", reader.argumentType(), true);
    StructType schema = new StructType(new StructField[] {value});
    counts = handle.getMapState(name, Encoders.row(schema), Encoders.LONG(), ttl);
    pending = new HashMap<>();
  }

  void collect(Row row, long weight, Object[] state) {
    Object value = reader.seen(row);
    if (value != null) {
      pending.merge(Values.hashable(value), weight, Long::sum);
      if (pending.size() >= MAX_PENDING) {
        apply(state);
      }
    }
  }

  void apply(Object[] state) {
    List<AggregateCall> stale = new ArrayList<>();
    pending.forEach((key, change) -> apply(state, Values.fromHashable(key), change, stale));
    pending.clear();
    if (!stale.isEmpty()) {
      findAgain(state, stale);
    }
  }

  private void apply(Object[] state, Object value, long change, List<AggregateCall> stale) {
    if (change == 0) {
      return;
    }
    Row key = RowFactory.create(value);
    Long stored = counts.getValue(key);
    long before = stored == null ? 0 : stored;
    long after = before + change;
    if (after == 0) {
      counts.removeKey(key);
    } else {
      counts.updateValue(key, after);
    }
    if (before <= 0 && after > 0) {
      calls.forEach(call -> call.accumulator().add(state, call.slot(), value, 1L));
    } else if (before > 0 && after <= 0) {
      calls.forEach(call -> vanish(state, call, value, stale));
    }
  }

  private static void vanish(Object[] state, AggregateCall call, Object value, List<AggregateCall> stale) {
    if (!(call.accumulator() instanceof ExtremeAccumulator extreme)) {
      call.accumulator().add(state, call.slot(), value, -1L);
    } else if (extreme.isStale(state, call.slot(), value) && !stale.contains(call)) {
      stale.add(call);
    }
  }

  private void findAgain(Object[] state, List<AggregateCall> stale) {
    stale.forEach(call -> call.accumulator().start(state, call.slot()));
    Iterator<scala.Tuple2<Row, Long>> entries = counts.iterator();
    while (entries.hasNext()) {
      scala.Tuple2<Row, Long> entry = entries.next();
      if (entry._2() > 0) {
        stale.forEach(call -> call.accumulator().add(state, call.slot(), entry._1().get(0), 1L));
      }
    }
  }

  void clear() {
    counts.clear();
  }
}
