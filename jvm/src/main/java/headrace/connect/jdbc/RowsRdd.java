package headrace.connect.jdbc;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
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

  /** What the next job reads, at most as many portions as there are partitions. */
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

  @Override
  public Partition[] getPartitions() {
    Partition[] places = new Partition[partitions];
    Arrays.setAll(places, Place::new);
    return places;
  }

  @Override
  public Iterator<InternalRow> compute(Partition split, TaskContext context) {
    if (split.index() >= portions.length) {
      return CollectionConverters.asScala(List.<InternalRow>of().iterator());
    }
    return CollectionConverters.asScala(portions[split.index()].rows());
  }
}
