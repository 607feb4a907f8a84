package headrace.operators;

import org.apache.spark.sql.types.DataType;

/** FIRST_VALUE and LAST_VALUE over rows that only arrive: the value at one end of the order of arrival. */
final class EndAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;

  private final DataType type;
  private final boolean last;

  EndAccumulator(DataType type, boolean last) {
    this.type = type;
    this.last = last;
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
    if (last || state[slot] == null) {
      state[slot] = Values.kept(value);
    }
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    if (other[slot] != null && (last || state[slot] == null)) {
      state[slot] = other[slot];
    }
  }

  @Override
  public Object result(Object[] state, int slot) {
    return state[slot];
  }

  @Override
  public boolean isOrdered() {
    return true;
  }
}
