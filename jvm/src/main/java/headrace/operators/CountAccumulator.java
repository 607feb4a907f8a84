package headrace.operators;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

final class CountAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;

  @Override
  public DataType[] slots() {
    return new DataType[] {DataTypes.LongType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = 0L;
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    state[slot] = (Long) state[slot] + weight;
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    state[slot] = (Long) state[slot] + (Long) other[slot];
  }

  @Override
  public Object result(Object[] state, int slot) {
    return state[slot];
  }
}
