package headrace.operators;

import org.apache.spark.sql.types.DataType;

/**
 * MIN and MAX: the present extreme. Where rows can be taken away it only sees values that newly appear or vanish
 * altogether (they are counted beside it); when the extreme itself vanishes it is found again from those.
 */
final class ExtremeAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;

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
      state[slot] = Values.kept(value);
    }
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    if (other[slot] != null) {
      add(state, slot, other[slot], 1L);
    }
  }

  boolean is(Object[] state, int slot, Object vanished) {
    return state[slot] != null && Values.compare(vanished, state[slot]) == 0;
  }

  @Override
  public Object result(Object[] state, int slot) {
    return state[slot];
  }
}
