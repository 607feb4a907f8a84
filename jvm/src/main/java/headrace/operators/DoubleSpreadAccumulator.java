package headrace.operators;

import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Doubles and floats: each sum is two doubles, the second of which is what the first cannot hold; about 32 digits. */
final class DoubleSpreadAccumulator extends SpreadAccumulator {
  private static final long serialVersionUID = 1L;
  private static final int SQUARES = 2;
  private static final int COUNT = 4;

  DoubleSpreadAccumulator(DataType type, boolean sample, boolean root) {
    super(type, sample, root);
  }

  @Override
  public DataType[] slots() {
    DataType[] slots = new DataType[COUNT + 1];
    Arrays.fill(slots, DataTypes.DoubleType);
    slots[COUNT] = DataTypes.LongType;
    return slots;
  }

  @Override
  public void start(Object[] state, int slot) {
    Arrays.fill(state, slot, slot + COUNT, 0.0);
    state[slot + COUNT] = 0L;
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    double x = ((Number) value).doubleValue();
    double square = x * x;
    plusProduct(state, slot, x, weight);
    plusProduct(state, slot + SQUARES, square, weight);
    plusProduct(state, slot + SQUARES, Math.fma(x, x, -square), weight);
    state[slot + COUNT] = (Long) state[slot + COUNT] + weight;
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    plus(state, slot, (Double) other[slot], (Double) other[slot + 1]);
    plus(state, slot + SQUARES, (Double) other[slot + SQUARES], (Double) other[slot + SQUARES + 1]);
    state[slot + COUNT] = (Long) state[slot + COUNT] + (Long) other[slot + COUNT];
  }

  private static void plusProduct(Object[] state, int at, double x, double y) {
    double product = x * y;
    plus(state, at, product, Math.fma(x, y, -product));
  }

  /** Knuth's exact sum of the high parts; what it loses joins the low ones. */
  private static void plus(Object[] state, int at, double high, double low) {
    double before = (Double) state[at];
    double sum = before + high;
    double added = sum - before;
    double lost = (before - (sum - added)) + (high - added);
    double rest = (Double) state[at + 1] + low + lost;
    state[at] = sum + rest;
    state[at + 1] = rest - ((Double) state[at] - sum);
  }

  /** A sum over no value is zero again, whatever rounding has left behind. */
  @Override
  public Object result(Object[] state, int slot) {
    long count = (Long) state[slot + COUNT];
    if (count == 0) {
      start(state, slot);
    }
    boolean finite = Double.isFinite((Double) state[slot + SQUARES]) && Double.isFinite((Double) state[slot + SQUARES + 1]);
    return finite || count == 0 ? spread(count, exact(state, slot), exact(state, slot + SQUARES)) : spread(Double.NaN);
  }

  private static BigDecimal exact(Object[] state, int at) {
    return new BigDecimal((Double) state[at]).add(new BigDecimal((Double) state[at + 1]));
  }
}
