package headrace.formats;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.ObjectType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Columns that decode and encode records. A codec is a constant of the plan whose method generated code calls on
 * Spark's internal values, so that no row is converted and none leaves the JVM.
 */
public final class Codecs {
  private Codecs() {}

  /** An array of the rows that a Kafka record holds, each ending in its weight. */
  public static Column decode(
      String specification, Column key, Column value, Column topic, Column partition, Column offset) {
    RecordDecoder decoder = new RecordDecoder(specification);
    return call(decoder, "decode", decoder.resultType(), List.of(key, value, topic, partition, offset));
  }

  /** The bytes of a key or value whose fields are those of a struct column. */
  public static Column encode(String specification, Column struct) {
    return call(new RecordEncoder(specification), "encode", DataTypes.BinaryType, List.of(struct));
  }

  /** A key as the table's writer spells it, NULL where the bytes are no key of the table. */
  public static Column respell(String specification, Column key) {
    return call(new KeySpelling(specification), "respell", DataTypes.BinaryType, List.of(key));
  }

  /** A column that calls a method of a constant object on Spark's internal values. */
  public static Column call(Object codec, String method, DataType result, List<Column> arguments) {
    List<Expression> expressions = new ArrayList<>();
    arguments.forEach(argument -> expressions.add(ExpressionUtils.expression(argument)));
    return ExpressionUtils.column(new Invoke(
        Literal.create(codec, new ObjectType(codec.getClass())),
        method,
        result,
        CollectionConverters.asScala(expressions).toSeq(),
        CollectionConverters.asScala(List.<AbstractDataType>of()).toSeq(),
        false,
        true,
        true));
  }
}
