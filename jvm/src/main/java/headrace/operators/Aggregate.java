package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Retractable GROUP BY. A group's state is one row, how many rows the group has and then the accumulators' slots, plus a
 * value-to-count map for each argument that MIN, MAX or DISTINCT looks at. A group whose last row goes leaves nothing.
 */
final class Aggregate extends StatefulProcessor<Row, Row, Row> {
  private static final int COUNT = 0;

  private final AggregateSpec spec;
  private final int keyWidth;
  private final int weight;
  private final List<AggregateCall> calls = new ArrayList<>();
  private final List<AggregateCall> direct = new ArrayList<>();
  private final List<DistinctValues> counted = new ArrayList<>();
  private final StructType stateSchema;
  private transient ValueState<Row> group;

  Aggregate(AggregateSpec spec, StructType input, StructType output) {
    this.spec = spec;
    this.keyWidth = spec.keys().size();
    this.weight = input.fieldIndex(Weights.WEIGHT);
    List<StructField> slots = new ArrayList<>();
    slots.add(DataTypes.createStructField("rows", DataTypes.LongType, false));
    Map<String, DistinctValues> maps = new LinkedHashMap<>();
    for (CallSpec callSpec : spec.aggregates()) {
      AggregateCall call = AggregateCall.of(callSpec, input, slots.size());
      calls.add(call);
      for (DataType type : call.accumulator().slots()) {
        slots.add(DataTypes.createStructField("slot" + slots.size(), type, true));
      }
      if (call.needsValues(spec.appendOnly())) {
        String over = callSpec.argument() + " / " + callSpec.filter();
        maps.computeIfAbsent(over, ignored -> new DistinctValues(maps.size(), call)).serve(call);
      } else {
        direct.add(call);
      }
    }
    counted.addAll(maps.values());
    stateSchema = DataTypes.createStructType(slots);
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    group = getHandle().getValueState("group", Encoders.row(stateSchema), Spec.ttl(spec.ttlMillis()));
    counted.forEach(values -> values.open(getHandle(), Spec.ttl(spec.ttlMillis())));
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> rows, TimerValues timers) {
    boolean known = group.exists();
    Object[] state = known ? load(group.get()) : start();
    Object[] before = known ? results(key, state, -1L) : null;
    while (rows.hasNext()) {
      Row row = rows.next();
      long rowWeight = row.getLong(weight);
      state[COUNT] = (Long) state[COUNT] + rowWeight;
      direct.forEach(call -> call.add(state, row, rowWeight));
      counted.forEach(values -> values.collect(row, rowWeight, state));
    }
    counted.forEach(values -> values.apply(state));
    Object[] after = store(key, state);
    return CollectionConverters.asScala(changes(before, after).iterator());
  }

  private Object[] load(Row row) {
    Object[] state = new Object[stateSchema.length()];
    for (int i = 0; i < state.length; i++) {
      state[i] = row.get(i);
    }
    return state;
  }

  private Object[] start() {
    Object[] state = new Object[stateSchema.length()];
    state[COUNT] = 0L;
    calls.forEach(call -> call.accumulator().start(state, call.slot()));
    return state;
  }

  /** Keeps the group, or forgets it when no row is left, and gives its new result row. */
  private Object[] store(Row key, Object[] state) {
    if ((Long) state[COUNT] > 0) {
      group.update(RowFactory.create(state));
      return results(key, state, 1L);
    }
    group.clear();
    counted.forEach(DistinctValues::clear);
    return null;
  }

  private Object[] results(Row key, Object[] state, long rowWeight) {
    Object[] out = new Object[keyWidth + calls.size() + 1];
    for (int i = 0; i < keyWidth; i++) {
      out[i] = key.get(i);
    }
    for (int i = 0; i < calls.size(); i++) {
      out[keyWidth + i] = calls.get(i).result(state);
    }
    out[out.length - 1] = rowWeight;
    return out;
  }

  private List<Row> changes(Object[] before, Object[] after) {
    List<Row> out = new ArrayList<>(2);
    if (before != null && after != null && sameResults(before, after)) {
      return out;
    }
    if (before != null && (spec.retract() || after == null)) {
      out.add(RowFactory.create(before));
    }
    if (after != null) {
      out.add(RowFactory.create(after));
    }
    return out;
  }

  private boolean sameResults(Object[] before, Object[] after) {
    for (int i = keyWidth; i < before.length - 1; i++) {
      if (!Values.same(before[i], after[i])) {
        return false;
      }
    }
    return true;
  }
}
