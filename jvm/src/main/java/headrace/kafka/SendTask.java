package headrace.kafka;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction2;

/**
 * What every task of a write does. A class, because Spark looks through the code of a lambda each time it is given one, which took a
 * fifth of the driver's time for a small batch.
 */
final class SendTask extends AbstractFunction2<TaskContext, Iterator<InternalRow>, Prepared[]> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final PartitionSender sender;

  private SendTask(PartitionSender sender) {
    this.sender = sender;
  }

  /** Writes all rows, and gives the transactions in which that was done. */
  static List<Prepared> run(RDD<InternalRow> rows, PartitionSender sender) {
    Object answers = rows.sparkContext().runJob(rows, new SendTask(sender), ClassTag.apply(Prepared[].class));
    return Arrays.stream((Prepared[][]) answers).flatMap(Arrays::stream).toList();
  }

  @Override
  public Prepared[] apply(TaskContext context, Iterator<InternalRow> rows) {
    List<Prepared> prepared = new ArrayList<>();
    sender.call(CollectionConverters.asJava(rows)).forEachRemaining(prepared::add);
    return prepared.toArray(Prepared[]::new);
  }
}
