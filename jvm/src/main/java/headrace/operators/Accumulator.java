package headrace.operators;

import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * One aggregate's running value. It lives in slots of the group's state, beginning at `slot`, so that all accumulators
 * of a group are read and written together. Values are Spark's internal ones (UTF8String, days, microseconds, …).
 */
interface Accumulator extends Serializable {
  /** Types of the slots as they are stored. */
  DataType[] slots();

  void start(Object[] state, int slot);

  /** Adds `value` (never null) `weight` times; a negative weight takes it away. */
  void add(Object[] state, int slot, Object value, long weight);

  /** Adds what another task has accumulated for the same group. */
  void merge(Object[] state, int slot, Object[] other);

  Object result(Object[] state, int slot);

  /** From a stored slot to the object that `add` works on, and back. */
  default Object thaw(Object stored) {
    return stored;
  }

  default Object freeze(Object slot) {
    return slot;
  }
}
