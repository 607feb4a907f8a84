package headrace.functions;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Arithmetic as Flink does it, where Spark has no expression for it: whole numbers wrap as Java's do, decimals that outgrow
 * their type are null, and a division by zero is an error.
 */
public final class Numbers {
  private static final MathContext DIGITS = new MathContext(38, RoundingMode.HALF_UP);

  private Numbers() {}

  public static long quotient(long left, long right, UTF8String expression) {
    if (right == 0) {
      throw ExpressionException.divisionByZero(expression.toString());
    }
    return left / right;
  }

  public static long remainder(long left, long right, UTF8String expression) {
    if (right == 0) {
      throw ExpressionException.divisionByZero(expression.toString());
    }
    return left % right;
  }

  public static Decimal quotient(Decimal left, Decimal right, int precision, int scale, UTF8String expression) {
    return fitted(left.toJavaBigDecimal().divide(divisor(right, expression), DIGITS), precision, scale);
  }

  public static Decimal remainder(Decimal left, Decimal right, int precision, int scale, UTF8String expression) {
    return fitted(left.toJavaBigDecimal().remainder(divisor(right, expression), DIGITS), precision, scale);
  }

  /** Spark rounds the negative of a decimal to 34 digits. */
  public static Decimal negated(Decimal number) {
    return Decimal.apply(number.toJavaBigDecimal().negate(), number.precision(), number.scale());
  }

  public static Decimal absolute(Decimal number) {
    return number.toJavaBigDecimal().signum() < 0 ? negated(number) : number;
  }

  private static BigDecimal divisor(Decimal right, UTF8String expression) {
    BigDecimal divisor = right.toJavaBigDecimal();
    if (divisor.signum() == 0) {
      throw ExpressionException.divisionByZero(expression.toString());
    }
    return divisor;
  }

  /** Rounded half up; null where the precision does not hold it. */
  static Decimal fitted(BigDecimal number, int precision, int scale) {
    BigDecimal rounded = number.setScale(scale, RoundingMode.HALF_UP);
    return rounded.precision() > precision ? null : Decimal.apply(rounded, precision, scale);
  }
}
