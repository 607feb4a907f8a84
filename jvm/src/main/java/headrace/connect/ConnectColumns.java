package headrace.connect;

import headrace.formats.Codecs;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataTypes;

/** Columns over records of Connect. Those that can fail are structs of a value and an error. */
public final class ConnectColumns {
  private ConnectColumns() {}

  /** Bytes of the JSON converter; `value` is a struct of one field. */
  public static Column toJson(
      String schema, boolean envelope, boolean numericDecimals, boolean defaults, Column value, Column typed) {
    JsonCodec codec = new JsonCodec(schema, envelope, numericDecimals, defaults);
    return Codecs.call(codec, "encode", Outcome.type(DataTypes.BinaryType), List.of(value, typed));
  }

  /** A value of the schema that the JSON converter reads from bytes; text of JSON without a schema. */
  public static Column fromJson(String schema, boolean envelope, boolean defaults, Column bytes) {
    JsonCodec codec = new JsonCodec(schema, envelope, false, defaults);
    return Codecs.call(codec, "decode", Outcome.type(codec.decodedType()), List.of(bytes));
  }

  /** What tells the schema within bytes of the JSON converter: its text, and whether it is of a null. */
  public static Column tagOf(Column bytes) {
    JsonCodec codec = new JsonCodec(null, true, false, true);
    return Codecs.call(codec, "tagOf", Outcome.type(DataTypes.StringType), List.of(bytes));
  }

  /** Text of milliseconds since 1970. */
  public static Column timeText(String pattern, Column millis) {
    return Codecs.call(new TimeCodec(pattern), "format", DataTypes.StringType, List.of(millis));
  }

  /** A value as the text of a header; `value` is a struct of one field. */
  public static Column headerText(String schema, Column value) {
    return Codecs.call(new TextCodec(schema), "header", DataTypes.StringType, List.of(value));
  }

  /** The text of a header that the JSON converter wrote. */
  public static Column headerJson(boolean envelope, Column bytes) {
    return Codecs.call(
        new HeaderJson(envelope), "text", Outcome.type(DataTypes.StringType), List.of(bytes));
  }

  /** A value as Java's text of it; `value` is a struct of one field. */
  public static Column plainText(String schema, Column value) {
    return Codecs.call(new TextCodec(schema), "plain", DataTypes.StringType, List.of(value));
  }

  /** The text that bytes are in an encoding. */
  public static Column decoded(String charset, Column bytes) {
    return Codecs.call(new CharsetCodec(charset), "decode", DataTypes.StringType, List.of(bytes));
  }

  /** The bytes of a text in an encoding. */
  public static Column encoded(String charset, Column text) {
    return Codecs.call(new CharsetCodec(charset), "encode", DataTypes.BinaryType, List.of(text));
  }

  /** Bytes of a header once the simple header converter has read and written them. */
  public static Column headerLiteral(Column bytes) {
    return Codecs.call(new HeaderLiteral(), "typed", DataTypes.BinaryType, List.of(bytes));
  }

  /** What Java calls the class of a value without a schema. */
  public static Column schemalessClass(Column text) {
    return Codecs.call(new SchemalessClass(), "of", DataTypes.StringType, List.of(text));
  }

  /** A value without a schema after one step of a transform; `more` are fields that the step adds. */
  public static Column step(String step, String settings, Column text, Column more) {
    SchemalessStep codec = new SchemalessStep(step, settings);
    return Codecs.call(codec, "apply", Outcome.type(DataTypes.StringType), List.of(text, more));
  }

  /** A value with a schema after one step of a transform, which gives it another; `value` is a struct of one field. */
  public static Column convert(String step, String settings, String from, String to, Column value) {
    TypedStep codec = new TypedStep(step, settings, from, to);
    return Codecs.call(codec, "apply", Outcome.type(codec.resultType()), List.of(value));
  }

  /** A topic by another name where the whole of it matches. */
  public static Column route(String regex, String replacement, Column topic) {
    return Codecs.call(
        new TopicRoute(regex, replacement), "apply", Outcome.type(DataTypes.StringType), List.of(topic));
  }

  /** Bytes of a number or truth value; `value` is a struct of one field. */
  public static Column toBinary(String kind, String schema, Column value) {
    return Codecs.call(
        new NumberCodec(kind, schema), "encode", Outcome.type(DataTypes.BinaryType), List.of(value));
  }

  /** The number or truth value that bytes hold. */
  public static Column fromBinary(String kind, Column bytes) {
    NumberCodec codec = new NumberCodec(kind, null);
    return Codecs.call(codec, "decode", Outcome.type(codec.decodedType()), List.of(bytes));
  }

  /** Binary Avro as a schema registry's clients frame it. */
  public static Column framed(
      String settings, String naming, String name, String schema, Column topic, Column avro) {
    RegistryFrame frame = new RegistryFrame(settings, RegistryFrame.Naming.valueOf(naming), name, schema);
    return Codecs.call(frame, "frame", DataTypes.BinaryType, List.of(topic, avro));
  }
}
