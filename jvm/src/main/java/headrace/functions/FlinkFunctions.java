package headrace.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.NumericEvalContext;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.util.package$;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Functions of the session for what Flink computes otherwise than Spark's ANSI mode. Most are Spark's own expressions
 * in the mode in which whole numbers wrap around and decimals that outgrow their type are null; the others call Java.
 */
public final class FlinkFunctions {
  /** How Spark's own expressions are evaluated; decimals give up fraction digits before whole ones, as in Flink. */
  private static final NumericEvalContext WRAPPING = new NumericEvalContext(EvalMode$.MODULE$.LEGACY(), true);

  private static final Map<DataType, String> READERS = Map.of(
      DataTypes.BooleanType, "toBoolean",
      DataTypes.ByteType, "toByte",
      DataTypes.ShortType, "toShort",
      DataTypes.IntegerType, "toInt",
      DataTypes.LongType, "toLong",
      DataTypes.FloatType, "toFloat",
      DataTypes.DoubleType, "toDouble",
      DataTypes.DateType, "toDate",
      DataTypes.TimestampNTZType, "toTimestamp");

  private FlinkFunctions() {}

  /** Makes the functions known to the session, unless they are. */
  public static void register(SparkSession session) {
    FunctionRegistry registry = ((org.apache.spark.sql.classic.SparkSession) session).sessionState().functionRegistry();
    if (!registry.functionExists(FunctionIdentifier.apply("flink_add"))) {
      addAll(registry);
    }
  }

  private static void addAll(FunctionRegistry registry) {
    add(registry, "flink_add", args -> new Add(args.apply(0), args.apply(1), WRAPPING));
    add(registry, "flink_subtract", args -> new Subtract(args.apply(0), args.apply(1), WRAPPING));
    add(registry, "flink_multiply", args -> new Multiply(args.apply(0), args.apply(1), WRAPPING));
    add(registry, "flink_negate", args -> signed("negated", args.apply(0), new UnaryMinus(args.apply(0), false)));
    add(registry, "flink_abs", args -> signed("absolute", args.apply(0), new Abs(args.apply(0), false)));
    add(registry, "flink_divide", args -> division("quotient", "/", args));
    add(registry, "flink_remainder", args -> division("remainder", "%", args));
    add(registry, "flink_convert", args -> converted(args.apply(0), type(args.apply(1))));
    add(registry, "flink_read", args -> read(args, false));
    add(registry, "flink_try_read", args -> read(args, true));
    addCall(registry, "flink_json_value", JsonPaths.class, DataTypes.StringType, "value");
    addCall(registry, "flink_json_query", JsonPaths.class, DataTypes.StringType, "query");
    addCall(registry, "flink_json_type", JsonPaths.class, DataTypes.StringType, "type");
    addCall(registry, "flink_json_length", JsonPaths.class, DataTypes.IntegerType, "length");
    addCall(registry, "flink_json_element", JsonDocuments.class, DataTypes.StringType, "element");
    addCall(registry, "flink_json_embedded", JsonDocuments.class, DataTypes.StringType, "embedded");
    addCall(registry, "flink_json_found", JsonPaths.class, DataTypes.StringType, "found");
    addCall(registry, "flink_json_fault", JsonPaths.class, DataTypes.StringType, "fault");
    addCall(registry, "flink_json_quote", JsonTexts.class, DataTypes.StringType, "quoted");
    addCall(registry, "flink_json_unquote", JsonTexts.class, DataTypes.StringType, "unquoted");
    addCall(registry, "flink_make_valid_utf8", Texts.class, DataTypes.StringType, "ofBytes");
    addCall(registry, "flink_instr", Strings.class, DataTypes.IntegerType, "position");
    addCall(registry, "flink_locate", Strings.class, DataTypes.IntegerType, "located");
    addCall(registry, "flink_ascii", Strings.class, DataTypes.IntegerType, "firstByte");
    addCall(registry, "flink_from_base64", Strings.class, DataTypes.StringType, "ofBase64");
    addCall(registry, "flink_replace", Strings.class, DataTypes.StringType, "replaced");
    addCall(registry, "flink_decode", Strings.class, DataTypes.StringType, "decoded");
    addCall(registry, "flink_printf", Strings.class, DataTypes.StringType, "printed");
    addCall(registry, "flink_exp", Math.class, DataTypes.DoubleType, "exp");
    addCall(registry, "flink_ceil", Math.class, DataTypes.DoubleType, "ceil");
    addCall(registry, "flink_floor", Math.class, DataTypes.DoubleType, "floor");
    addCall(registry, "flink_interval_text", Intervals.class, DataTypes.StringType, "text");
    addCall(registry, "flink_inet_aton", Addresses.class, DataTypes.LongType, "toNumber");
    addCall(registry, "flink_inet_ntoa", Addresses.class, DataTypes.StringType, "toText");
    addCall(registry, "flink_to_timestamp", TimeTexts.class, DataTypes.TimestampNTZType, "toTimestamp");
    addCall(registry, "flink_to_timestamp_ltz", TimeTexts.class, DataTypes.TimestampType, "toTimestamp");
    addCall(registry, "flink_to_date", TimeTexts.class, DataTypes.DateType, "toDate");
    addCall(registry, "flink_date_format", TimeTexts.class, DataTypes.StringType, "formatted");
    addCall(registry, "flink_convert_tz", TimeTexts.class, DataTypes.StringType, "moved");
    addCall(registry, "flink_unix_timestamp", TimeTexts.class, DataTypes.LongType, "toUnixTime");
    addCall(registry, "flink_from_unixtime", TimeTexts.class, DataTypes.StringType, "ofUnixTime");
    addCall(registry, "flink_regexp", Regexps.class, DataTypes.BooleanType, "matches");
    addCall(registry, "flink_regexp_extract", Regexps.class, DataTypes.StringType, "extract");
    DataType texts = DataTypes.createArrayType(DataTypes.StringType);
    addCall(registry, "flink_json_elements", JsonDocuments.class, texts, "elements");
    addCall(registry, "flink_regexp_extract_all", Regexps.class, texts, "extractAll");
    addCall(registry, "flink_regexp_count", Regexps.class, DataTypes.IntegerType, "count");
    addCall(registry, "flink_regexp_instr", Regexps.class, DataTypes.IntegerType, "position");
    addCall(registry, "flink_regexp_replace", Regexps.class, DataTypes.StringType, "replace");
    add(registry, "flink_map", FlinkFunctions::map);
    addCall(registry, "flink_similar", Similarity.class, DataTypes.BooleanType, "similar");
  }

  private static void add(FunctionRegistry registry, String name, Function1<Seq<Expression>, Expression> builder) {
    registry.createOrReplaceTempFunction(name, builder, "built-in");
  }

  /** A function that is a Java method. */
  private static void addCall(
      FunctionRegistry registry, String name, Class<?> holder, DataType type, String method) {
    add(registry, name, args -> call(holder, type, true, method, CollectionConverters.asJava(args)));
  }

  private static Expression signed(String method, Expression number, Expression ofSpark) {
    boolean decimal = number.dataType() instanceof DecimalType;
    return decimal ? call(Numbers.class, number.dataType(), false, method, List.of(number)) : ofSpark;
  }

  /** Two whole numbers of one type, or two decimals and the type of the result. */
  private static Expression division(String method, String operator, Seq<Expression> args) {
    Expression left = args.apply(0);
    Expression right = args.apply(1);
    String shown = shown(left) + " " + operator + " " + shown(right);
    Expression expression = text(ExpressionException.shortened(shown));
    if (args.length() == 3) {
      DecimalType result = (DecimalType) type(args.apply(2));
      Expression precision = whole(result.precision());
      Expression scale = whole(result.scale());
      return call(Numbers.class, result, true, method, List.of(left, right, precision, scale, expression));
    }
    Expression wide = call(
        Numbers.class,
        DataTypes.LongType,
        false,
        method,
        List.of(converted(left, DataTypes.LongType), converted(right, DataTypes.LongType), expression));
    return converted(wide, left.dataType());
  }

  /** A map of an array of keys, which may be null, and one of values. */
  private static Expression map(Seq<Expression> args) {
    ArrayType keys = (ArrayType) args.apply(0).dataType();
    ArrayType values = (ArrayType) args.apply(1).dataType();
    DataType type = DataTypes.createMapType(keys.elementType(), values.elementType(), true);
    return call(Maps.class, type, false, "of", List.of(args.apply(0), args.apply(1)));
  }

  private static Expression converted(Expression value, DataType type) {
    return value.dataType().equals(type) ? value : new Cast(value, type, Option.empty(), EvalMode$.MODULE$.LEGACY());
  }

  /** The text, the type it becomes in Spark, the digits of a fraction that it keeps, and the type as the user knows it. */
  private static Expression read(Seq<Expression> args, boolean lenient) {
    DataType type = type(args.apply(1));
    if (type.equals(DataTypes.TimestampType)) {
      return new Cast(read(args, DataTypes.TimestampNTZType, lenient), type, Option.empty(), EvalMode$.MODULE$.LEGACY());
    }
    return read(args, type, lenient);
  }

  private static Expression read(Seq<Expression> args, DataType type, boolean lenient) {
    List<Expression> arguments = new ArrayList<>(List.of(args.apply(0)));
    String method = READERS.get(type);
    if (type instanceof DecimalType decimal) {
      method = "toDecimal";
      arguments.addAll(List.of(whole(decimal.precision()), whole(decimal.scale())));
    } else if (method == null) {
      method = "toTime";
    }
    if (method.startsWith("toTime")) {
      arguments.add(args.apply(2));
    }
    arguments.addAll(List.of(args.apply(3), Literal.create(lenient, DataTypes.BooleanType)));
    return call(Texts.class, type, true, method, arguments);
  }

  private static Expression call(
      Class<?> holder, DataType type, boolean nullable, String method, List<Expression> arguments) {
    return new StaticInvoke(
        holder,
        type,
        method,
        CollectionConverters.asScala(arguments).toSeq(),
        CollectionConverters.asScala(List.<AbstractDataType>of()).toSeq(),
        true,
        nullable,
        true,
        Option.empty());
  }

  private static DataType type(Expression name) {
    return CatalystSqlParser$.MODULE$.parseDataType(((Literal) name).value().toString());
  }

  private static Expression whole(int number) {
    return Literal.create(number, DataTypes.IntegerType);
  }

  private static Expression text(String text) {
    return Literal.create(UTF8String.fromString(text), DataTypes.StringType);
  }

  private static String shown(Expression expression) {
    return package$.MODULE$.toPrettySQL(expression, true);
  }
}
