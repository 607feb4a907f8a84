package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** One aggregate of a GROUP BY bound to its input columns (-1: none) and to its slots in the group's state. */
record AggregateCall(Accumulator accumulator, int argument, int filter, boolean distinct, DataType argumentType, int slot)
    implements Serializable {

  /** Stands for the row itself in COUNT(*), which counts rows whatever they hold. */
  private static final Object ANY = Boolean.TRUE;

  static AggregateCall of(CallSpec spec, StructType input, int slot) {
    int argument = spec.argument() == null ? -1 : input.fieldIndex(spec.argument());
    int filter = spec.filter() == null ? -1 : input.fieldIndex(spec.filter());
    DataType type = argument < 0 ? null : input.fields()[argument].dataType();
    return new AggregateCall(accumulator(spec, type), argument, filter, spec.distinct(), type, slot);
  }

  private static Accumulator accumulator(CallSpec spec, DataType argument) {
    return switch (spec.function()) {
      case "count" -> new CountAccumulator();
      case "sum" -> new SumAccumulator(argument, spec.type(), false);
      case "avg" -> new SumAccumulator(argument, spec.type(), true);
      case "min" -> new ExtremeAccumulator(spec.type(), false);
      case "max" -> new ExtremeAccumulator(spec.type(), true);
      default -> throw new IllegalArgumentException("no accumulator named " + spec.function());
    };
  }

  /** Whether single values must be counted: for DISTINCT always, for an extreme only if it can be taken away. */
  boolean needsValues(boolean appendOnly) {
    return distinct || (accumulator instanceof ExtremeAccumulator && !appendOnly);
  }

  /** The value this call sees in the row, or null when its filter or a NULL argument leaves the row out. */
  Object seen(InternalRow row) {
    if (filter >= 0 && (row.isNullAt(filter) || !row.getBoolean(filter))) {
      return null;
    }
    return argument < 0 ? ANY : row.get(argument, argumentType);
  }

  void add(Object[] state, InternalRow row, long weight) {
    Object value = seen(row);
    if (value != null) {
      accumulator.add(state, slot, value, weight);
    }
  }

  Object result(Object[] state) {
    return accumulator.result(state, slot);
  }
}
