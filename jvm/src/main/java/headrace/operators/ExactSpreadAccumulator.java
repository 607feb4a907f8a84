package headrace.operators;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** Whole numbers and decimals: unscaled digits without a limit. */
final class ExactSpreadAccumulator extends SpreadAccumulator {
  private static final long serialVersionUID = 1L;
  private static final int SQUARES = 1;
  private static final int COUNT = 2;

  private final int scale;

  ExactSpreadAccumulator(DataType argument, DataType type, boolean sample, boolean root) {
    super(type, sample, root);
    this.scale = argument instanceof DecimalType decimal ? decimal.scale() : 0;
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {DataTypes.BinaryType, DataTypes.BinaryType, DataTypes.LongType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = BigInteger.ZERO;
    state[slot + SQUARES] = BigInteger.ZERO;
    state[slot + COUNT] = 0L;
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    BigInteger digits =
        value instanceof Decimal decimal
            ? decimal.toJavaBigDecimal().unscaledValue()
            : BigInteger.valueOf(((Number) value).longValue());
    BigInteger weighted = digits.multiply(BigInteger.valueOf(weight));
    plus(state, slot, weighted, weighted.multiply(digits), weight);
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    plus(state, slot, (BigInteger) other[slot], (BigInteger) other[slot + SQUARES], (Long) other[slot + COUNT]);
  }

  private static void plus(Object[] state, int slot, BigInteger sum, BigInteger squares, long count) {
    state[slot] = ((BigInteger) state[slot]).add(sum);
    state[slot + SQUARES] = ((BigInteger) state[slot + SQUARES]).add(squares);
    state[slot + COUNT] = (Long) state[slot + COUNT] + count;
  }

  @Override
  public Object result(Object[] state, int slot) {
    if (isWhole()) {
      BigInteger total = (BigInteger) state[slot];
      return wholeSpread((Long) state[slot + COUNT], total, (BigInteger) state[slot + SQUARES]);
    }
    BigDecimal sum = new BigDecimal((BigInteger) state[slot], scale);
    BigDecimal squares = new BigDecimal((BigInteger) state[slot + SQUARES], 2 * scale);
    return spread((Long) state[slot + COUNT], sum, squares);
  }

  @Override
  public void thaw(Object[] state, int slot) {
    state[slot] = new BigInteger((byte[]) state[slot]);
    state[slot + SQUARES] = new BigInteger((byte[]) state[slot + SQUARES]);
  }

  @Override
  public void freeze(Object[] state, int slot) {
    state[slot] = ((BigInteger) state[slot]).toByteArray();
    state[slot + SQUARES] = ((BigInteger) state[slot + SQUARES]).toByteArray();
  }
}
