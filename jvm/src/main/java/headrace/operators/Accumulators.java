package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import org.apache.spark.sql.types.DataType;

/** Accumulators by the names that the planner knows them by. */
final class Accumulators {
  private Accumulators() {}

  /** `value` is the type of what is added: of the argument, a struct of several, or null in COUNT(*). */
  static Accumulator of(CallSpec spec, DataType value, boolean appendOnly) {
    return switch (spec.function()) {
      case "count" -> new CountAccumulator();
      case "sum" -> new SumAccumulator(value, spec.type(), false);
      case "avg" -> new SumAccumulator(value, spec.type(), true);
      case "min" -> new ExtremeAccumulator(spec.type(), false);
      case "max" -> new ExtremeAccumulator(spec.type(), true);
      case "var_pop" -> SpreadAccumulator.of(value, spec.type(), false, false);
      case "var_samp" -> SpreadAccumulator.of(value, spec.type(), true, false);
      case "stddev_pop" -> SpreadAccumulator.of(value, spec.type(), false, true);
      case "stddev_samp" -> SpreadAccumulator.of(value, spec.type(), true, true);
      case "first_value" -> end(spec, value, appendOnly, BagResult.FIRST);
      case "last_value" -> end(spec, value, appendOnly, BagResult.LAST);
      case "single_value" -> new BagAccumulator(spec, value, BagResult.SINGLE);
      case "percentile" -> new PercentileAccumulator(spec);
      case "listagg" -> new BagAccumulator(spec, value, BagResult.TEXT);
      case "array_agg" -> new BagAccumulator(spec, value, BagResult.ARRAY);
      case "collect" -> new BagAccumulator(spec, value, BagResult.MULTISET);
      case "json_arrayagg" -> new BagAccumulator(spec, value, BagResult.JSON_ARRAY);
      case "json_objectagg" -> new BagAccumulator(spec, value, BagResult.JSON_OBJECT);
      default -> throw new IllegalArgumentException("no accumulator named " + spec.function());
    };
  }

  /** Where nothing is taken away one value is enough; with DISTINCT a value counts when it first comes. */
  private static Accumulator end(CallSpec spec, DataType value, boolean appendOnly, BagResult result) {
    if (spec.distinct()) {
      return new BagAccumulator(spec, value, result);
    }
    boolean last = result == BagResult.LAST;
    return appendOnly ? new EndAccumulator(value, last) : new KeptEndAccumulator(value, last);
  }
}
