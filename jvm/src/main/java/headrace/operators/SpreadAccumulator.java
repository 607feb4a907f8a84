package headrace.operators;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Variance and standard deviation from the count, the sum and the sum of squares. Sums commute and can be taken back,
 * which a running mean cannot do without drifting; that their difference cancels is made up for by keeping them exactly,
 * or with twice a double's digits. The result is a double cast to the result's type.
 */
abstract class SpreadAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;

  private final DataType type;
  private final boolean sample;
  private final boolean root;

  SpreadAccumulator(DataType type, boolean sample, boolean root) {
    this.type = type;
    this.sample = sample;
    this.root = root;
  }

  static Accumulator of(DataType argument, DataType type, boolean sample, boolean root) {
    boolean approximate = argument.equals(DataTypes.DoubleType) || argument.equals(DataTypes.FloatType);
    return approximate
        ? new DoubleSpreadAccumulator(type, sample, root)
        : new ExactSpreadAccumulator(argument, type, sample, root);
  }

  /** NULL over no value; of a sample of one as well, which has no spread. */
  final Object spread(long count, BigDecimal sum, BigDecimal squares) {
    long divisor = sample ? count - 1 : count;
    if (divisor <= 0) {
      return null;
    }
    BigDecimal copies = BigDecimal.valueOf(count);
    BigDecimal difference = squares.multiply(copies).subtract(sum.multiply(sum)).max(BigDecimal.ZERO);
    return spread(difference.divide(copies.multiply(BigDecimal.valueOf(divisor)), MathContext.DECIMAL64).doubleValue());
  }

  final boolean isWhole() {
    return !(type instanceof DecimalType);
  }

  /** Of whole numbers in Flink's steps: sums and their squares wrap around in the type, and every division is one of whole numbers. */
  final Object wholeSpread(long count, BigInteger sum, BigInteger squares) {
    long divisor = sample ? count - 1 : count;
    if (divisor <= 0) {
      return null;
    }
    long variance = (wrapped(squares) - wrapped(sum.multiply(sum)) / count) / divisor;
    return Values.whole(root ? (long) Math.sqrt(variance) : variance, type);
  }

  private long wrapped(BigInteger number) {
    return ((Number) Values.whole(number.longValue(), type)).longValue();
  }

  final Object spread(double variance) {
    double value = root ? Math.sqrt(variance) : variance;
    if (type instanceof DecimalType wanted) {
      BigDecimal rounded = BigDecimal.valueOf(value).setScale(wanted.scale(), RoundingMode.HALF_UP);
      boolean fits = rounded.precision() <= wanted.precision();
      return fits ? Decimal.apply(rounded, wanted.precision(), wanted.scale()) : null;
    }
    if (type.equals(DataTypes.DoubleType)) {
      return value;
    }
    return type.equals(DataTypes.FloatType) ? (Object) (float) value : Values.whole((long) value, type);
  }
}
