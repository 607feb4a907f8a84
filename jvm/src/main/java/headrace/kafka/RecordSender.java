package headrace.kafka;

import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.PartitionCoalescer;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/** Sends finished records (the columns of {@link Outgoing}) of several plans as one job. */
public final class RecordSender {
  private RecordSender() {}

  /** Returns when the brokers have acknowledged all records. */
  public static void send(List<RDD<InternalRow>> records, String specification) {
    if (!records.isEmpty()) {
      SendTask.run(together(records), new PartitionSender(new WriterSpec(specification)));
    }
  }

  /** Closes, in this JVM, the producer that was left open for the next records. */
  public static void end(String specification) {
    Producers.end(new WriterSpec(specification).properties);
  }

  /** Many small plans would be as many tasks, each of which costs more than its few records. */
  private static RDD<InternalRow> together(List<RDD<InternalRow>> records) {
    SparkContext context = records.get(0).sparkContext();
    ClassTag<InternalRow> tag = ClassTag.apply(InternalRow.class);
    RDD<InternalRow> all = records.size() == 1
        ? records.get(0)
        : context.union(CollectionConverters.asScala(records).toSeq(), tag);
    int cores = context.defaultParallelism();
    return records.size() <= cores
        ? all
        : all.coalesce(cores, false, Option.<PartitionCoalescer>empty(), null);
  }
}
