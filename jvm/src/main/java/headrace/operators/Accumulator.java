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

  /**
   * Adds `value` `weight` times; a negative weight takes it away. Null only where `takesNulls`. The value lies in a row whose
   * memory is used again: who keeps it keeps a copy, see {@link Values#kept}.
   */
  void add(Object[] state, int slot, Object value, long weight);

  /** Adds what another task has accumulated for the same group. */
  void merge(Object[] state, int slot, Object[] other);

  Object result(Object[] state, int slot);

  /** From stored slots to the objects that `add` works on, and back; in place. */
  default void thaw(Object[] state, int slot) {}

  default void freeze(Object[] state, int slot) {}

  /** Whether a NULL is a value like any other. */
  default boolean takesNulls() {
    return false;
  }

  /** Whether it holds single values itself, so that DISTINCT is its own matter. */
  default boolean holdsValues() {
    return false;
  }

  /** Whether it matters in which order values are added and other tasks' are merged. */
  default boolean isOrdered() {
    return false;
  }
}
