package headrace.operators;

import static org.apache.spark.sql.functions.lit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.KeyValueGroupedDataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The stateful operators as functions from weighted rows to weighted rows. To Spark every one of them is an append
 * stream, so they chain in one streaming query.
 */
public final class Operators {
  private Operators() {}

  /** Upserts to weighted rows: of each key the last record by (partition, offset) replaces the row kept before. */
  public static Dataset<Row> normalize(Dataset<Row> input, String spec) {
    NormalizeSpec parsed = NormalizeSpec.parse(spec);
    StructType schema = input.schema();
    StructType kept = without(schema, parsed.keys(), Weights.PARTITION, Weights.OFFSET, Weights.WEIGHT);
    StructType output = without(schema, List.of(), Weights.PARTITION, Weights.OFFSET);
    return run(input, parsed.keys(), new Normalize(parsed, schema, kept, output), parsed.ttlMillis(), output);
  }

  /** GROUP BY over weighted rows: a group's result is retracted and added anew whenever it changes. */
  public static Dataset<Row> aggregate(Dataset<Row> input, String spec) {
    AggregateSpec parsed = AggregateSpec.parse(spec);
    boolean grouped = !parsed.keys().isEmpty();
    Dataset<Row> keyed = grouped ? input : input.withColumn(Weights.GROUP, lit(0));
    List<String> keys = grouped ? parsed.keys() : List.of(Weights.GROUP);
    List<StructField> fields = new ArrayList<>();
    parsed.keys().forEach(name -> fields.add(input.schema().apply(name)));
    parsed.aggregates().forEach(call -> fields.add(DataTypes.createStructField(call.name(), call.type(), true)));
    fields.add(DataTypes.createStructField(Weights.WEIGHT, DataTypes.LongType, false));
    StructType output = DataTypes.createStructType(fields);
    return run(keyed, keys, new Aggregate(parsed, keyed.schema(), output), parsed.ttlMillis(), output);
  }

  private static Dataset<Row> run(
      Dataset<Row> input, List<String> keys, StatefulProcessor<Row, Row, Row> processor, long ttlMillis, StructType output) {
    Column[] columns = keys.stream().map(name -> input.col("`" + name.replace("`", "``") + "`")).toArray(Column[]::new);
    StructType keySchema = new StructType(keys.stream().map(input.schema()::apply).toArray(StructField[]::new));
    KeyValueGroupedDataset<Row, Row> groups =
        input.groupBy(columns).as(Encoders.row(keySchema), Encoders.row(input.schema()));
    TimeMode time = ttlMillis > 0 ? TimeMode.ProcessingTime() : TimeMode.None();
    return groups.transformWithState(processor, time, OutputMode.Append(), Encoders.row(output));
  }

  private static StructType without(StructType schema, List<String> keys, String... others) {
    List<String> dropped = new ArrayList<>(keys);
    dropped.addAll(Arrays.asList(others));
    return new StructType(
        Arrays.stream(schema.fields()).filter(field -> !dropped.contains(field.name())).toArray(StructField[]::new));
  }
}
