package headrace.operators;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.KeyValueGroupedDataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The stateful operators as functions from weighted rows to weighted rows. To Spark every one of them is an append
 * stream, so they chain in one streaming query. Each packs its rows, combines what it can within a task, shuffles by the
 * typed key, works on packed rows and unpacks what it emits.
 */
public final class Operators {
  private static final StructField KEY = field(Weights.KEY, DataTypes.BinaryType);
  private static final StructField ROW = field(Weights.ROW, DataTypes.BinaryType);
  private static final StructField PARTIAL = field(Weights.PARTIAL, DataTypes.BinaryType);
  private static final StructField VALUES = field(Weights.VALUES, DataTypes.BinaryType);
  private static final StructField WEIGHT = field(Weights.WEIGHT, DataTypes.LongType);
  private static final StructType ONE_GROUP = schema(field("__key0", DataTypes.IntegerType));

  private Operators() {}

  /** Upserts to weighted rows: of each key the last record by (partition, offset) replaces the row kept before. */
  public static Dataset<Row> normalize(Dataset<Row> input, String spec) {
    NormalizeSpec parsed = NormalizeSpec.parse(spec);
    StructType keys = subset(input.schema(), parsed.keys());
    StructType rows = without(input.schema(), Weights.PARTITION, Weights.OFFSET, Weights.WEIGHT);
    Dataset<Row> records =
        input.select(pack(keys).as(Weights.KEY), pack(rows).as(Weights.ROW), col(Weights.PARTITION), col(Weights.OFFSET), col(Weights.WEIGHT));
    return run(records, keys, new Normalize(parsed, keys), parsed.ttlMillis(), rows);
  }

  /** GROUP BY over weighted rows: a group's result is retracted and added anew whenever it changes. */
  public static Dataset<Row> aggregate(Dataset<Row> input, String spec) {
    AggregateSpec parsed = AggregateSpec.parse(spec);
    StructType keys = subset(input.schema(), parsed.keys());
    StructType arguments = subset(input.schema(), parsed.columns());
    List<StructField> results = new ArrayList<>(Arrays.asList(keys.fields()));
    parsed.aggregates().forEach(call -> results.add(field(call.name(), call.type())));
    GroupLayout layout = new GroupLayout(parsed, keys, arguments);
    Dataset<InternalRow> rows =
        InternalRows.of(input.select(struct(columns(keys).as("key"), columns(arguments).as("arguments"), col(Weights.WEIGHT)).as(Weights.ROW)));
    Dataset<Row> partials = parsed.buckets() > 0 ? splitPartials(rows, parsed, layout) : partials(rows, layout);
    StructType output = schema(results.toArray(StructField[]::new));
    return run(partials, keys, new Aggregate(parsed, layout, keys, output), parsed.ttlMillis(), output);
  }

  private static Dataset<Row> partials(Dataset<InternalRow> rows, GroupLayout layout) {
    StructType unplaced = schema(KEY, PARTIAL, VALUES);
    StructType partial = layout.ordered ? unplaced.add(field(Weights.PLACE, DataTypes.LongType)) : unplaced;
    return combine(rows, new PartialAggregate(layout, 0), partial);
  }

  /** DISTINCT values are counted by bucket of the value before the groups, so that no group's values sit in one task. */
  private static Dataset<Row> splitPartials(Dataset<InternalRow> rows, AggregateSpec spec, GroupLayout layout) {
    Dataset<Row> blocks = combine(rows, new PartialAggregate(layout, spec.buckets()), schema(KEY, VALUES));
    StructType partial = schema(KEY, PARTIAL);
    Dataset<Row> counted = transform(blocks, Buckets.KEY, new DistinctValues(spec, layout), spec.ttlMillis(), partial);
    return combine(counted, new MergePartials(layout), partial);
  }

  /** Two changing tables on equal keys: left columns, then right columns; but for SEMI and ANTI none, for MARK the mark. */
  public static Dataset<Row> join(Dataset<Row> left, Dataset<Row> right, String spec) {
    JoinSpec parsed = JoinSpec.parse(spec);
    StructType keys = subset(left.schema(), parsed.leftKeys());
    StructType leftRows = without(left.schema(), Weights.WEIGHT);
    StructType rightRows = without(right.schema(), Weights.WEIGHT);
    StructType both = schema(Stream.of(leftRows, rightRows).flatMap(rows -> Arrays.stream(rows.fields())).toArray(StructField[]::new));
    Dataset<Row> sides =
        side(left, keys, leftRows, true).union(side(right, subset(right.schema(), parsed.rightKeys()), rightRows, false));
    RowCondition condition = RowCondition.of(left.sparkSession(), parsed.condition(), both);
    StructType single = parsed.mark() == null ? leftRows : leftRows.add(field(parsed.mark(), DataTypes.BooleanType));
    StructType output = parsed.kind().pairs() ? both : single;
    Join join = new Join(parsed, keys, leftRows, rightRows, output, condition);
    return run(sides, keys, join, parsed.ttlMillis(), output);
  }

  private static Dataset<Row> side(Dataset<Row> input, StructType keys, StructType rows, boolean isLeft) {
    return input.select(
        pack(keys).as(Weights.KEY), pack(rows).as(Weights.ROW), lit(isLeft).as(Weights.IS_LEFT), col(Weights.WEIGHT));
  }

  /** Top-N per partition, with or without the rank itself. */
  public static Dataset<Row> rank(Dataset<Row> input, String spec) {
    RankSpec parsed = RankSpec.parse(spec);
    StructType rows = without(input.schema(), Weights.WEIGHT);
    StructType output = parsed.rank() == null ? rows : rows.add(field(parsed.rank(), DataTypes.LongType));
    StructType keys = subset(input.schema(), parsed.partition());
    return run(keyed(input, keys, rows), keys, new Rank(parsed, keys, rows, output), parsed.ttlMillis(), output);
  }

  /** One row per key of a sink, whatever the rows' own key. */
  public static Dataset<Row> materialize(Dataset<Row> input, String spec) {
    MaterializeSpec parsed = MaterializeSpec.parse(spec);
    StructType rows = without(input.schema(), Weights.WEIGHT);
    StructType keys = subset(input.schema(), parsed.keys());
    StructType beside = schema(KEY, ROW, WEIGHT, field(Weights.PLACE, DataTypes.LongType));
    Dataset<Row> placed = combine(keyed(input, keys, rows), new PlacedRows(), beside);
    return run(placed, keys, new Materialize(parsed, keys, rows), parsed.ttlMillis(), rows);
  }

  /**
   * Rows that several branches of one query read. Spark runs an exchange once that stands in a plan twice; rows cross it packed, and
   * nothing is moved to below it, or each branch would have its own. Rows of one task stay together and in order.
   */
  public static Dataset<Row> shared(Dataset<Row> input) {
    StructType rows = input.schema();
    int tasks = input.sparkSession().sessionState().conf().numShufflePartitions();
    Column task = functions.pmod(functions.spark_partition_id(), lit(tasks));
    return input
        .select(pack(rows).as(Weights.ROW), task.as(Weights.TASK))
        .repartitionById(tasks, col(Weights.TASK))
        .select(Packed.unpackHere(rows, col(Weights.ROW)).as(Weights.ROW))
        .select(col(Weights.ROW + ".*"));
  }

  /** Rows of any columns as rows of the same two, beside those of other branches. */
  public static Dataset<Row> tagged(Dataset<Row> input, int branch) {
    return input.select(lit(branch).as(Weights.BRANCH), pack(input.schema()).as(Weights.ROW));
  }

  /** One branch of `tagged` rows, with the columns it had. */
  public static Dataset<Row> untagged(Dataset<Row> tagged, int branch, StructType columns) {
    return tagged
        .where(col(Weights.BRANCH).equalTo(branch))
        .select(Packed.unpack(columns, col(Weights.ROW)).as(Weights.ROW))
        .select(col(Weights.ROW + ".*"));
  }

  private static Dataset<Row> keyed(Dataset<Row> input, StructType keys, StructType rows) {
    return input.select(pack(keys).as(Weights.KEY), pack(rows).as(Weights.ROW), col(Weights.WEIGHT));
  }

  private static <T> Dataset<Row> combine(Dataset<T> rows, MapPartitionsFunction<T, Row> combiner, StructType output) {
    return rows.mapPartitions(combiner, Encoders.row(output));
  }

  private static Dataset<Row> run(
      Dataset<Row> combined, StructType keys, StatefulProcessor<Row, Row, Row> processor, long ttlMillis, StructType output) {
    return transform(combined, keys, processor, ttlMillis, schema(ROW, WEIGHT))
        .select(Packed.unpack(output, col(Weights.ROW)).as(Weights.ROW), col(Weights.WEIGHT))
        .select(col(Weights.ROW + ".*"), col(Weights.WEIGHT));
  }

  /** Groups by the typed key columns: sorting by their packed form would copy it at every comparison. */
  private static Dataset<Row> transform(
      Dataset<Row> combined, StructType keys, StatefulProcessor<Row, Row, Row> processor, long ttlMillis, StructType emitted) {
    StructType grouping = keys.isEmpty() ? ONE_GROUP : aliased(keys);
    Column typed = keys.isEmpty() ? struct(lit(0).as(ONE_GROUP.fieldNames()[0])) : Packed.unpack(grouping, col(Weights.KEY));
    Column[] columns = Arrays.stream(grouping.fieldNames()).map(functions::col).toArray(Column[]::new);
    Dataset<Row> keyed = combined.withColumn("__typed", typed).select(col("*"), col("__typed.*")).drop("__typed");
    KeyValueGroupedDataset<Row, Row> groups =
        keyed.groupBy(columns).as(Encoders.row(grouping), Encoders.row(keyed.schema()));
    TimeMode time = ttlMillis > 0 ? TimeMode.ProcessingTime() : TimeMode.None();
    return groups.transformWithState(processor, time, OutputMode.Append(), Encoders.row(emitted));
  }

  /** Key columns under names that no column of a user has. */
  private static StructType aliased(StructType keys) {
    StructField[] fields = keys.fields();
    StructField[] renamed = new StructField[fields.length];
    for (int i = 0; i < fields.length; i++) {
      renamed[i] = field("__key" + i, fields[i].dataType());
    }
    return schema(renamed);
  }

  private static Column pack(StructType columns) {
    return Packed.pack(columns, columns(columns));
  }

  private static Column columns(StructType columns) {
    return struct(Arrays.stream(columns.fieldNames()).map(name -> col(quoted(name))).toArray(Column[]::new));
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private static StructType subset(StructType schema, List<String> names) {
    return schema(names.stream().map(schema::apply).toArray(StructField[]::new));
  }

  private static StructType without(StructType schema, String... dropped) {
    List<String> names = Arrays.asList(dropped);
    return schema(Arrays.stream(schema.fields()).filter(item -> !names.contains(item.name())).toArray(StructField[]::new));
  }

  private static StructType schema(StructField... fields) {
    return new StructType(fields);
  }

  private static StructField field(String name, DataType type) {
    return DataTypes.createStructField(name, type, true);
  }
}
