package headrace.connect.jdbc;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** An array of one dimension; elements come as the driver's objects, those that need care as texts. */
final class ArrayCell implements Cell {
  @FunctionalInterface
  private interface Element {
    Object of(Object driven) throws SQLException;
  }

  private final DataType type;
  private final Element element;

  private ArrayCell(DataType elementType, Element element) {
    this.type = DataTypes.createArrayType(elementType, true);
    this.element = element;
  }

  static ArrayCell of(String kind, CellKinds kinds) {
    if (kind.startsWith("decimal:")) {
      int scale = Integer.parseInt(kind.substring("decimal:".length()));
      return new ArrayCell(DataTypes.createDecimalType(CellKinds.DIGITS, scale),
          text -> CellKinds.decimal(CellKinds.number((String) text), scale));
    }
    return switch (kind) {
      case "boolean" -> new ArrayCell(DataTypes.BooleanType, truth -> truth);
      case "int8" -> new ArrayCell(DataTypes.ByteType, n -> exact(n).byteValueExact());
      case "int16" -> new ArrayCell(DataTypes.ShortType, n -> exact(n).shortValueExact());
      case "int32" -> new ArrayCell(DataTypes.IntegerType, n -> exact(n).intValueExact());
      case "int64" -> new ArrayCell(DataTypes.LongType, n -> exact(n).longValueExact());
      case "float" -> new ArrayCell(DataTypes.FloatType, n -> Float.valueOf(n.toString()));
      case "double" -> new ArrayCell(DataTypes.DoubleType, n -> Double.valueOf(n.toString()));
      case "bytes" -> new ArrayCell(DataTypes.BinaryType, bytes -> bytes);
      case "date" -> new ArrayCell(DataTypes.DateType, text -> kinds.days(TimeTexts.date((String) text)));
      case "time" -> new ArrayCell(DataTypes.IntegerType, text -> TimeTexts.millisOfDay((String) text));
      case "timestamp" -> new ArrayCell(
          kinds.granularity().type(), text -> kinds.value(TimeTexts.timestamp((String) text)));
      case "instant" -> new ArrayCell(
          kinds.granularity().type(), text -> kinds.value(TimeTexts.instant((String) text)));
      default -> new ArrayCell(DataTypes.StringType, text -> UTF8String.fromString((String) text));
    };
  }

  /** Drivers give 16 bits as 32; numbers of a type for decimals come as texts, which may say NaN. */
  private static BigDecimal exact(Object number) throws Unrepresentable {
    return CellKinds.number(number.toString());
  }

  @Override
  public DataType type() {
    return type;
  }

  @Override
  public Object read(ResultSet row, int place) throws SQLException {
    Array array = row.getArray(place);
    if (array == null) {
      return null;
    }
    Object[] driven = (Object[]) array.getArray();
    Object[] cells = new Object[driven.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = driven[i] == null ? null : of(driven[i], array);
    }
    return new GenericArrayData(cells);
  }

  private Object of(Object driven, Array array) throws SQLException {
    if (driven instanceof Object[]) {
      throw new Unrepresentable(array.toString(), "an array of one dimension");
    }
    return element.of(driven);
  }
}
