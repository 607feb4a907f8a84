package headrace.operators;

import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * One aggregate's running value. It lives in `width` slots of the group's state row beginning at `slot`, so that all
 * accumulators of a group are read and written together.
 */
interface Accumulator extends Serializable {
  /** Types of the slots, and so of the state row's columns. */
  DataType[] slots();

  void start(Object[] state, int slot);

  /** Adds `value` (never null) `weight` times; a negative weight takes it away. */
  void add(Object[] state, int slot, Object value, long weight);

  Object result(Object[] state, int slot);
}
