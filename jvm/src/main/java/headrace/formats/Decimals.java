package headrace.formats;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;

/** Numbers fitted into DECIMAL columns. */
final class Decimals {
  private Decimals() {}

  /**
   * Rounded half up to the column's scale; null, as in Flink, where its precision does not hold the number. Numbers
   * far too large or too small are settled by their exponent: writing `1E+999999999` out would fill the memory.
   */
  static Decimal fitted(BigDecimal number, FieldType type) {
    long wholeDigits = (long) number.precision() - number.scale();
    boolean vanishes = number.signum() == 0 || wholeDigits < -type.scale;
    if (!vanishes && wholeDigits > type.precision - type.scale) {
      return null;
    }
    BigDecimal rounded = (vanishes ? BigDecimal.ZERO : number).setScale(type.scale, RoundingMode.HALF_UP);
    return rounded.precision() > type.precision ? null : Decimal.apply(rounded, type.precision, type.scale);
  }
}
