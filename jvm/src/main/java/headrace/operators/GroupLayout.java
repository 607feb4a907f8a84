package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * How the state of a group is laid out: slot 0 is its number of rows, then each call's slots. Calls over single values
 * (DISTINCT, extremes that can vanish) share one count per value and argument; the others are fed directly.
 */
final class GroupLayout implements Serializable {
  private static final long serialVersionUID = 1L;
  static final int ROWS = 0;

  final List<AggregateCall> calls = new ArrayList<>();
  final List<AggregateCall> direct = new ArrayList<>();
  final List<List<AggregateCall>> counted = new ArrayList<>();
  final StructType keys;
  final int argumentWidth;
  /** Whether the order in which rows arrive matters to a call. */
  final boolean ordered;
  /** How many calls hold every value that they see. */
  final int holders;
  private final StructType schema;
  private transient UnsafeProjection projection;

  GroupLayout(AggregateSpec spec, StructType keys, StructType arguments) {
    this.keys = keys;
    argumentWidth = arguments.length();
    List<StructField> slots = new ArrayList<>();
    slots.add(DataTypes.createStructField("rows", DataTypes.LongType, true));
    Map<String, List<AggregateCall>> byArgument = new LinkedHashMap<>();
    for (CallSpec callSpec : spec.aggregates()) {
      AggregateCall call = AggregateCall.of(callSpec, arguments, slots.size(), spec.appendOnly());
      calls.add(call);
      for (DataType type : call.accumulator().slots()) {
        slots.add(DataTypes.createStructField("slot" + slots.size(), type, true));
      }
      if (call.needsValues(spec.appendOnly())) {
        String over = callSpec.arguments() + " / " + callSpec.filter();
        byArgument.computeIfAbsent(over, any -> new ArrayList<>()).add(call);
      } else {
        direct.add(call);
      }
    }
    counted.addAll(byArgument.values());
    ordered = calls.stream().anyMatch(call -> call.accumulator().isOrdered());
    holders = (int) calls.stream().filter(call -> call.accumulator().holdsValues()).count();
    schema = new StructType(slots.toArray(StructField[]::new));
  }

  Object[] start() {
    Object[] state = new Object[schema.length()];
    state[ROWS] = 0L;
    calls.forEach(call -> call.accumulator().start(state, call.slot()));
    return state;
  }

  /** Adds what rows gave directly; values that are counted come beside it. */
  void merge(Object[] state, Object[] other) {
    merge(state, other, direct);
  }

  /** Adds what rows and counted values gave. */
  void mergeAll(Object[] state, Object[] other) {
    merge(state, other, calls);
  }

  private static void merge(Object[] state, Object[] other, List<AggregateCall> calls) {
    state[ROWS] = (Long) state[ROWS] + (Long) other[ROWS];
    calls.forEach(call -> call.accumulator().merge(state, call.slot(), other));
  }

  byte[] store(Object[] state) {
    Object[] stored = state.clone();
    for (AggregateCall call : calls) {
      call.accumulator().freeze(stored, call.slot());
    }
    if (projection == null) {
      projection = UnsafeProjection.create(schema);
    }
    return Packed.bytes(projection, new GenericInternalRow(stored));
  }

  Object[] load(byte[] stored) {
    UnsafeRow row = Packed.view(stored, schema.length());
    Object[] state = new Object[schema.length()];
    for (int i = 0; i < state.length; i++) {
      state[i] = row.get(i, schema.fields()[i].dataType());
    }
    for (AggregateCall call : calls) {
      call.accumulator().thaw(state, call.slot());
    }
    return state;
  }
}
