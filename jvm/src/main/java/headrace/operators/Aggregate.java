package headrace.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Retractable GROUP BY over what the tasks before the shuffle have added up. A group's state is one packed row, plus a
 * count per value for each argument that MIN, MAX or DISTINCT looks at, unless those are kept in buckets before it. A
 * group whose last row goes leaves nothing.
 */
final class Aggregate extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;
  private static final int KEY = 0;
  private static final int PLACE = 3;

  private final AggregateSpec spec;
  private final GroupLayout layout;
  private final StructType keys;
  private final StructType output;
  private transient GroupStates states;
  private transient GroupValue group;
  private transient List<CountedValues> counted;
  private transient List<ArrivalOrders> ends;
  private transient UnsafeProjection results;

  Aggregate(AggregateSpec spec, GroupLayout layout, StructType keys, StructType output) {
    this.spec = spec;
    this.layout = layout;
    this.keys = keys;
    this.output = output;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new GroupStates(getHandle(), keys);
    group = states.value("group", spec.ttlMillis());
    counted = new ArrayList<>();
    for (int i = 0; i < layout.counted.size() && spec.buckets() == 0; i++) {
      counted.add(new CountedValues(i, layout.counted.get(i), states, spec.ttlMillis()));
    }
    ends = new ArrayList<>();
    for (AggregateCall call : layout.calls) {
      if (call.accumulator() instanceof KeptEndAccumulator) {
        ends.add(new ArrivalOrders(call, states, spec.ttlMillis()));
      }
    }
    results = UnsafeProjection.create(output);
  }

  @Override
  public Iterator<Row> handleInputRows(Row typedKey, Iterator<Row> unordered, TimerValues timers) {
    Iterator<Row> partials = layout.ordered ? byPlace(unordered) : unordered;
    Row partial = partials.next();
    byte[] key = partial.getAs(KEY);
    states.at(key);
    byte[] stored = group.get();
    Object[] state = stored == null ? layout.start() : layout.load(stored);
    byte[] before = stored == null ? null : result(key, state);
    ValueChanges changes = new ValueChanges(counted.size());
    while (partial != null) {
      if (spec.buckets() > 0) {
        layout.mergeAll(state, layout.load(partial.getAs(1)));
      } else {
        layout.merge(state, layout.load(partial.getAs(1)));
        changes.read(ByteBuffer.wrap(partial.getAs(2)));
      }
      partial = partials.hasNext() ? partials.next() : null;
    }
    for (int i = 0; i < counted.size(); i++) {
      counted.get(i).apply(state, i, changes, stored == null);
    }
    ends.forEach(values -> values.apply(state));
    return CollectionConverters.asScala(Replacement.of(before, store(key, state), spec.retract()).iterator());
  }

  private static Iterator<Row> byPlace(Iterator<Row> partials) {
    List<Row> rows = new ArrayList<>(CollectionConverters.asJava(partials.toSeq()));
    rows.sort(Comparator.comparingLong(row -> row.getLong(PLACE)));
    return CollectionConverters.asScala(rows.iterator());
  }

  /** Keeps the group, or forgets it when no row is left, and gives its new result row. */
  private byte[] store(byte[] key, Object[] state) {
    if ((Long) state[GroupLayout.ROWS] > 0) {
      byte[] result = result(key, state);
      group.update(layout.store(state));
      return result;
    }
    group.clear();
    counted.forEach(CountedValues::clear);
    ends.forEach(ArrivalOrders::clear);
    return null;
  }

  private byte[] result(byte[] key, Object[] state) {
    UnsafeRow grouped = Packed.view(key, keys.length());
    Object[] out = new Object[output.length()];
    for (int i = 0; i < keys.length(); i++) {
      out[i] = grouped.get(i, keys.fields()[i].dataType());
    }
    for (int i = 0; i < layout.calls.size(); i++) {
      out[keys.length() + i] = layout.calls.get(i).result(state);
    }
    return Packed.bytes(results, new GenericInternalRow(out));
  }
}
