package headrace.connect.jdbc;

import headrace.kafka.RecordSender;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows of tables on their way to Kafka: a plan that is made once, over rows that every poll gives anew. */
public final class TableRecords {
  private final RowsRdd rows;
  private final Map<String, Portion> given = new LinkedHashMap<>();
  private final List<RDD<InternalRow>> records = new ArrayList<>();

  /** `outputs` have the columns that {@link RecordSender} writes; all of them are made of `rows`. */
  public TableRecords(RowsRdd rows, List<Dataset<Row>> outputs) {
    this.rows = rows;
    outputs.forEach(output -> records.add(rddOf(output)));
  }

  /** Of a frame whose rows begin with their topic. */
  public void give(String topic, Portion portion) {
    given.put(topic, new TopicRows(topic, portion));
    rows.give(List.copyOf(given.values()));
  }

  /** Each query is a task's. */
  public void ask(Login login, String snapshot, List<Query> queries, Cells cells) {
    rows.ask(login, snapshot, queries, cells);
  }

  /** Forgets what it was given. */
  public void clear() {
    given.clear();
    rows.give(List.of());
  }

  /** Writes finished records of other plans. */
  public static void write(List<Dataset<Row>> frames, String writer) {
    List<RDD<InternalRow>> all = new ArrayList<>();
    frames.forEach(frame -> all.add(rddOf(frame)));
    RecordSender.send(all, writer);
  }

  private static RDD<InternalRow> rddOf(Dataset<Row> frame) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) frame).queryExecution().toRdd();
  }

  /** Writes what the tables were given as one job, and returns when the brokers have all of it. */
  public static void send(List<TableRecords> tables, String writer) {
    List<RDD<InternalRow>> all = new ArrayList<>();
    tables.forEach(table -> all.addAll(table.records));
    try {
      RecordSender.send(all, writer);
    } finally {
      tables.forEach(TableRecords::clear);
    }
  }
}
