package headrace.operators;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * SUM and AVG: the sum and how many values it holds, so that a sum over no value is NULL. Whole numbers wrap around as
 * Flink's do; a decimal sum that outgrows its type is NULL; AVG of whole numbers truncates.
 */
final class SumAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;

  private final Arithmetic arithmetic;
  private final int scale;
  private final DataType type;
  private final boolean average;

  SumAccumulator(DataType argument, DataType type, boolean average) {
    this.arithmetic = Arithmetic.of(argument);
    this.scale = argument instanceof DecimalType decimal ? decimal.scale() : 0;
    this.type = type;
    this.average = average;
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {arithmetic.stored, DataTypes.LongType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = arithmetic.zero;
    state[slot + 1] = 0L;
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    state[slot] = arithmetic.plus(state[slot], arithmetic.times(value, weight));
    state[slot + 1] = (Long) state[slot + 1] + weight;
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    state[slot] = arithmetic.plus(state[slot], other[slot]);
    state[slot + 1] = (Long) state[slot + 1] + (Long) other[slot + 1];
  }

  @Override
  public Object result(Object[] state, int slot) {
    long count = (Long) state[slot + 1];
    return count == 0 ? null : arithmetic.finish(state[slot], average ? count : 1L, scale, type);
  }

  @Override
  public void thaw(Object[] state, int slot) {
    if (state[slot] instanceof byte[] bytes) {
      state[slot] = new BigInteger(bytes);
    }
  }

  @Override
  public void freeze(Object[] state, int slot) {
    if (state[slot] instanceof BigInteger number) {
      state[slot] = number.toByteArray();
    }
  }

  private enum Arithmetic {
    WHOLE(DataTypes.LongType, 0L) {
      @Override
      Object times(Object value, long weight) {
        return ((Number) value).longValue() * weight;
      }

      @Override
      Object plus(Object left, Object right) {
        return (Long) left + (Long) right;
      }

      @Override
      Object finish(Object sum, long divisor, int scale, DataType type) {
        return Values.whole((Long) sum / divisor, type);
      }
    },
    APPROXIMATE(DataTypes.DoubleType, 0.0) {
      @Override
      Object times(Object value, long weight) {
        return ((Number) value).doubleValue() * weight;
      }

      @Override
      Object plus(Object left, Object right) {
        return (Double) left + (Double) right;
      }

      @Override
      Object finish(Object sum, long divisor, int scale, DataType type) {
        double value = (Double) sum / divisor;
        return type.equals(DataTypes.FloatType) ? (Object) (float) value : (Object) value;
      }
    },
    /** Unscaled digits without a limit: a sum may leave the range of its type and come back. */
    EXACT(DataTypes.BinaryType, BigInteger.ZERO) {
      @Override
      Object times(Object value, long weight) {
        return ((Decimal) value).toJavaBigDecimal().unscaledValue().multiply(BigInteger.valueOf(weight));
      }

      @Override
      Object plus(Object left, Object right) {
        return ((BigInteger) left).add((BigInteger) right);
      }

      @Override
      Object finish(Object sum, long divisor, int scale, DataType type) {
        DecimalType wanted = (DecimalType) type;
        BigDecimal total = new BigDecimal((BigInteger) sum, scale);
        BigDecimal value = total.divide(BigDecimal.valueOf(divisor), wanted.scale(), RoundingMode.HALF_UP);
        boolean fits = value.precision() <= wanted.precision();
        return fits ? Decimal.apply(value, wanted.precision(), wanted.scale()) : null;
      }
    };

    final DataType stored;
    final Object zero;

    Arithmetic(DataType stored, Object zero) {
      this.stored = stored;
      this.zero = zero;
    }

    abstract Object times(Object value, long weight);

    abstract Object plus(Object left, Object right);

    abstract Object finish(Object sum, long divisor, int scale, DataType type);

    static Arithmetic of(DataType argument) {
      if (argument instanceof DecimalType) {
        return EXACT;
      }
      return argument.equals(DataTypes.DoubleType) || argument.equals(DataTypes.FloatType) ? APPROXIMATE : WHOLE;
    }
  }
}
