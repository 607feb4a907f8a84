package headrace.kafka;

import java.util.Iterator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;

/** The records of a task: those of its partitions, one after the other. A task without batches has one partition. */
final class TaskRecords implements AutoCloseable {
  private final Iterator<SourceTask.Range> ranges;
  private final ConsumerSettings settings;
  private PartitionRecords current;

  TaskRecords(SourceTask task, ConsumerSettings settings) {
    this.ranges = task.ranges().iterator();
    this.settings = settings;
    this.current = new PartitionRecords(ranges.next(), settings);
  }

  /** The next record of a batch, or null at its end. */
  ConsumerRecord<byte[], byte[]> next() {
    ConsumerRecord<byte[], byte[]> record = current.next();
    while (record == null && ranges.hasNext()) {
      current.close();
      current = new PartitionRecords(ranges.next(), settings);
      record = current.next();
    }
    return record;
  }

  /** The next record of a stream without batches, or null if none comes in time. */
  ConsumerRecord<byte[], byte[]> next(long timeoutMillis) {
    return current.next(timeoutMillis);
  }

  PartitionOffset offset() {
    return current.place();
  }

  @Override
  public void close() {
    current.close();
  }
}
