package headrace.operators;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/**
 * SUM and AVG: the sum and how many values it holds, so that a sum over no value is NULL. Whole numbers wrap around as
 * Flink's do; a decimal sum that outgrows 38 digits is NULL; AVG of whole numbers truncates.
 */
final class SumAccumulator implements Accumulator {
  private final Arithmetic arithmetic;
  private final DataType type;
  private final boolean average;

  SumAccumulator(DataType argument, DataType type, boolean average) {
    this.arithmetic = Arithmetic.of(argument);
    this.type = type;
    this.average = average;
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {arithmetic.stateType(type), DataTypes.LongType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = arithmetic.zero();
    state[slot + 1] = 0L;
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    state[slot] = arithmetic.plus(state[slot], value, weight);
    state[slot + 1] = (Long) state[slot + 1] + weight;
  }

  @Override
  public Object result(Object[] state, int slot) {
    long count = (Long) state[slot + 1];
    return count == 0 ? null : arithmetic.finish(state[slot], average ? count : 1L, type);
  }

  private enum Arithmetic {
    WHOLE {
      @Override
      DataType stateType(DataType result) {
        return DataTypes.LongType;
      }

      @Override
      Object zero() {
        return 0L;
      }

      @Override
      Object plus(Object sum, Object value, long weight) {
        return (Long) sum + ((Number) value).longValue() * weight;
      }

      @Override
      Object finish(Object sum, long divisor, DataType type) {
        long value = (Long) sum / divisor;
        if (type.equals(DataTypes.ByteType)) {
          return (byte) value;
        }
        if (type.equals(DataTypes.ShortType)) {
          return (short) value;
        }
        return type.equals(DataTypes.IntegerType) ? (Object) (int) value : (Object) value;
      }
    },
    APPROXIMATE {
      @Override
      DataType stateType(DataType result) {
        return DataTypes.DoubleType;
      }

      @Override
      Object zero() {
        return 0.0;
      }

      @Override
      Object plus(Object sum, Object value, long weight) {
        return (Double) sum + ((Number) value).doubleValue() * weight;
      }

      @Override
      Object finish(Object sum, long divisor, DataType type) {
        double value = (Double) sum / divisor;
        return type.equals(DataTypes.FloatType) ? (Object) (float) value : (Object) value;
      }
    },
    EXACT {
      @Override
      DataType stateType(DataType result) {
        // Text keeps a sum exact however far it outgrows 38 digits on its way back into range.
        return DataTypes.StringType;
      }

      @Override
      Object zero() {
        return "0";
      }

      @Override
      Object plus(Object sum, Object value, long weight) {
        return new BigDecimal((String) sum).add(((BigDecimal) value).multiply(BigDecimal.valueOf(weight))).toPlainString();
      }

      @Override
      Object finish(Object sum, long divisor, DataType type) {
        DecimalType wanted = (DecimalType) type;
        BigDecimal total = new BigDecimal((String) sum);
        BigDecimal value = total.divide(BigDecimal.valueOf(divisor), wanted.scale(), RoundingMode.HALF_UP);
        return value.precision() > wanted.precision() ? null : value;
      }
    };

    abstract DataType stateType(DataType result);

    abstract Object zero();

    abstract Object plus(Object sum, Object value, long weight);

    abstract Object finish(Object sum, long divisor, DataType type);

    static Arithmetic of(DataType argument) {
      if (argument instanceof DecimalType) {
        return EXACT;
      }
      return argument.equals(DataTypes.DoubleType) || argument.equals(DataTypes.FloatType) ? APPROXIMATE : WHOLE;
    }
  }
}
