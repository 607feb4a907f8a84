package headrace.operators;

import org.apache.spark.sql.types.DataType;

/**
 * MIN and MAX: the present extreme. It only sees values that newly appear or that vanish altogether (its values are
 * counted in a map beside it); when the extreme itself vanishes it is marked stale and found again from that map.
 */
final class ExtremeAccumulator implements Accumulator {
  private final DataType type;
  private final int sign;

  ExtremeAccumulator(DataType type, boolean greatest) {
    this.type = type;
    this.sign = greatest ? 1 : -1;
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {type};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = null;
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    if (weight > 0 && (state[slot] == null || sign * Values.compare(value, state[slot]) > 0)) {
      state[slot] = value;
    }
  }

  boolean isStale(Object[] state, int slot, Object vanished) {
    return state[slot] != null && Values.compare(vanished, state[slot]) == 0;
  }

  @Override
  public Object result(Object[] state, int slot) {
    return state[slot];
  }
}
