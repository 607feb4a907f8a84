package headrace.connect.jdbc;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.collection.immutable.Seq$;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * Rows that change from poll to poll below a plan that stays: what is given next is what the next job reads. So the plan of
 * a table's records is made and compiled once.
 */
public final class RowsRdd extends RDD<InternalRow> {
  private static final long serialVersionUID = 1L;

  private record Place(int index) implements Partition {
    @Override
    public int hashCode() {
      return index;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place place && place.index == index;
    }
  }

  private final int partitions;
  private Portion[] portions = new Portion[0];

  @SuppressWarnings("unchecked")
  public RowsRdd(SparkContext context, int partitions) {
    super(context, (scala.collection.immutable.Seq<org.apache.spark.Dependency<?>>) (Object) Seq$.MODULE$.empty(),
        ClassTag.apply(InternalRow.class));
    this.partitions = partitions;
  }

  /** What the next job reads; partitions take the portions in turn. */
  public void give(List<Portion> next) {
    portions = next.toArray(Portion[]::new);
  }

  /** The next job runs these queries, each in a task. */
  public void ask(Login login, String snapshot, List<Query> queries, Cells cells) {
    give(queries.stream().map(query -> (Portion) new QueryRows(login, snapshot, query, cells)).toList());
  }

  public Dataset<Row> frame(org.apache.spark.sql.SparkSession session, Cells cells) {
    return ((SparkSession) session).internalCreateDataFrame(this, cells.schema(), false);
  }

  /** A frame whose rows begin with the topic they go to, in a column of this name. */
  public Dataset<Row> frame(org.apache.spark.sql.SparkSession session, Cells cells, String topic) {
    StructType schema = new StructType().add(topic, DataTypes.StringType, false);
    for (StructField field : cells.schema().fields()) {
      schema = schema.add(field);
    }
    return ((SparkSession) session).internalCreateDataFrame(this, schema, false);
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] places = new Partition[partitions];
    Arrays.setAll(places, Place::new);
    return places;
  }

  @Override
  public Iterator<InternalRow> compute(Partition split, TaskContext context) {
    return CollectionConverters.asScala(new Portions(split.index()));
  }

  /** Every so many-th portion from one on, each opened when the one before has ended. */
  private final class Portions implements java.util.Iterator<InternalRow> {
    private int next;
    private java.util.Iterator<InternalRow> rows = Collections.emptyIterator();

    Portions(int first) {
      next = first;
    }

    @Override
    public boolean hasNext() {
      while (!rows.hasNext() && next < portions.length) {
        rows = portions[next].rows();
        next += partitions;
      }
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      return rows.next();
    }
  }
}
