package headrace.formats;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;

/** Numbers fitted into DECIMAL columns. */
final class Decimals {
  private Decimals() {}

  /** Rounded half up to the column's scale; null, as in Flink, where its precision does not hold the number. */
  static Decimal fitted(BigDecimal number, FieldType type) {
    BigDecimal rounded = number.setScale(type.scale, RoundingMode.HALF_UP);
    return rounded.precision() > type.precision ? null : Decimal.apply(rounded, type.precision, type.scale);
  }
}
