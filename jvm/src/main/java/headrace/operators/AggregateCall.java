package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * One aggregate of a GROUP BY bound to its input columns and to its slots in the group's state. A call of several
 * arguments sees them as one value, a row. `filter` -1: none.
 */
record AggregateCall(
    Accumulator accumulator, int[] arguments, StructType argumentTypes, int filter, boolean distinct, int slot)
    implements Serializable {

  /** Stands for the row itself in COUNT(*), which counts rows whatever they hold. */
  private static final Object ANY = Boolean.TRUE;

  static AggregateCall of(CallSpec spec, StructType input, int slot, boolean appendOnly) {
    int[] arguments = spec.arguments().stream().mapToInt(input::fieldIndex).toArray();
    StructType types = new StructType(Arrays.stream(arguments).mapToObj(i -> input.fields()[i]).toArray(StructField[]::new));
    int filter = spec.filter() == null ? -1 : input.fieldIndex(spec.filter());
    Accumulator accumulator = Accumulators.of(spec, valueType(types), appendOnly);
    return new AggregateCall(accumulator, arguments, types, filter, spec.distinct(), slot);
  }

  private static DataType valueType(StructType types) {
    return types.isEmpty() ? null : types.length() == 1 ? types.fields()[0].dataType() : types;
  }

  DataType valueType() {
    return valueType(argumentTypes);
  }

  /** Whether single values must be counted: for sums under DISTINCT, for an extreme only if it can be taken away. */
  boolean needsValues(boolean appendOnly) {
    if (accumulator instanceof ExtremeAccumulator) {
      return !appendOnly;
    }
    return distinct && !accumulator.holdsValues();
  }

  /** The value this call sees in the row, or null when its filter or a NULL argument leaves the row out. */
  Object seen(InternalRow row) {
    return passes(row) ? value(row) : null;
  }

  private boolean passes(InternalRow row) {
    return filter < 0 || (!row.isNullAt(filter) && row.getBoolean(filter));
  }

  private Object value(InternalRow row) {
    if (arguments.length == 0) {
      return ANY;
    }
    if (arguments.length == 1) {
      return row.get(arguments[0], argumentTypes.fields()[0].dataType());
    }
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.get(arguments[i], argumentTypes.fields()[i].dataType());
      if (values[i] == null && !accumulator.takesNulls()) {
        return null;
      }
    }
    return new GenericInternalRow(values);
  }

  void add(Object[] state, InternalRow row, long weight) {
    if (passes(row)) {
      Object value = value(row);
      if (value != null || accumulator.takesNulls()) {
        accumulator.add(state, slot, value, weight);
      }
    }
  }

  Object result(Object[] state) {
    return accumulator.result(state, slot);
  }
}
