package headrace.operators;

import org.apache.spark.sql.streaming.ValueState;

/** A value that Spark keeps, and forgets in time. */
record SparkValue(ValueState<byte[]> state) implements GroupValue {
  @Override
  public byte[] get() {
    return state.get();
  }

  @Override
  public void update(byte[] value) {
    state.update(value);
  }

  @Override
  public void clear() {
    state.clear();
  }
}
