package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;

/**
 * A column's SQL type as a record format needs it: Spark's type alone forgets the precision of timestamps and tells
 * no MULTISET from a MAP.
 */
final class FieldType {
  /** Spark counts microseconds; finer digits of a declared precision have no place to be kept. */
  private static final int SPARK_MAX_PRECISION = 6;

  final String kind;
  final boolean nullable;
  final int precision;
  final int scale;
  final List<FieldType> children;
  final List<String> names;

  private FieldType(String kind) {
    this.kind = kind;
    nullable = true;
    precision = 0;
    scale = 0;
    children = List.of();
    names = List.of();
  }

  private FieldType(JsonNode node) {
    kind = node.get("kind").asText();
    nullable = node.path("nullable").asBoolean(true);
    precision = node.path("precision").asInt(0);
    scale = node.path("scale").asInt(0);
    children = new ArrayList<>();
    node.path("children").forEach(child -> children.add(new FieldType(child)));
    names = new ArrayList<>();
    node.path("names").forEach(name -> names.add(name.asText()));
  }

  static FieldType parse(JsonNode node) {
    return new FieldType(node);
  }

  static FieldType string() {
    return new FieldType("STRING");
  }

  /** The type of a MULTISET's counts. */
  static FieldType integer() {
    return new FieldType("INT");
  }

  int sparkPrecision() {
    return Math.min(precision, SPARK_MAX_PRECISION);
  }

  DataType spark() {
    return switch (kind) {
      case "BOOLEAN" -> DataTypes.BooleanType;
      case "TINYINT" -> DataTypes.ByteType;
      case "SMALLINT" -> DataTypes.ShortType;
      case "INT" -> DataTypes.IntegerType;
      case "BIGINT" -> DataTypes.LongType;
      case "FLOAT" -> DataTypes.FloatType;
      case "DOUBLE" -> DataTypes.DoubleType;
      case "DECIMAL" -> DataTypes.createDecimalType(precision, scale);
      case "CHAR", "VARCHAR", "STRING" -> DataTypes.StringType;
      case "BINARY", "VARBINARY", "BYTES" -> DataTypes.BinaryType;
      case "DATE" -> DataTypes.DateType;
      case "TIME" -> new TimeType(sparkPrecision());
      case "TIMESTAMP" -> DataTypes.TimestampNTZType;
      case "TIMESTAMP_LTZ" -> DataTypes.TimestampType;
      case "INTERVAL YEAR TO MONTH" -> DataTypes.createYearMonthIntervalType();
      case "INTERVAL DAY TO SECOND" -> DataTypes.createDayTimeIntervalType();
      case "ARRAY" -> DataTypes.createArrayType(children.get(0).spark(), true);
      case "MAP" -> DataTypes.createMapType(children.get(0).spark(), children.get(1).spark(), true);
      case "MULTISET" -> DataTypes.createMapType(children.get(0).spark(), DataTypes.IntegerType, true);
      case "ROW" -> struct();
      case "NULL" -> DataTypes.NullType;
      default -> throw new IllegalArgumentException("no Spark type for " + kind);
    };
  }

  private StructType struct() {
    List<StructField> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      fields.add(DataTypes.createStructField(names.get(i), children.get(i).spark(), true));
    }
    return DataTypes.createStructType(fields);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case "DECIMAL" -> "DECIMAL(" + precision + ", " + scale + ")";
      case "TIME", "TIMESTAMP", "TIMESTAMP_LTZ" -> kind + "(" + precision + ")";
      default -> kind;
    };
  }
}
