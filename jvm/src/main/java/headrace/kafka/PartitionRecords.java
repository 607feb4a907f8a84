package headrace.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.kafka010.KafkaBatchInputPartition;
import org.apache.spark.sql.kafka010.KafkaOffsetRange;
import org.apache.spark.sql.kafka010.KafkaSourcePartitionOffset;
import org.apache.spark.sql.kafka010.consumer.KafkaDataConsumer;
import org.apache.spark.sql.kafka010.consumer.KafkaDataConsumerIterator;

/**
 * The records of one partition, through Spark's pool of consumers, which also tells lost data from a gap. Spark's own
 * reader would copy every record into a row first.
 */
final class PartitionRecords implements AutoCloseable {
  private final KafkaBatchInputPartition partition;
  private final KafkaDataConsumer consumer;
  private KafkaDataConsumerIterator live;
  private long next;

  PartitionRecords(KafkaBatchInputPartition partition) {
    this.partition = partition;
    this.consumer = KafkaDataConsumer.acquire(range().topicPartition(), partition.executorKafkaParams());
    this.next = range().fromOffset();
  }

  private KafkaOffsetRange range() {
    return partition.offsetRange();
  }

  /** The next record of a batch, or null at its end. */
  ConsumerRecord<byte[], byte[]> next() {
    if (next >= range().untilOffset()) {
      return null;
    }
    return passed(consumer.get(next, range().untilOffset(), partition.pollTimeoutMs(), partition.failOnDataLoss()));
  }

  /** The next record of a stream without batches, or null if none comes in time. */
  ConsumerRecord<byte[], byte[]> next(long timeoutMillis) {
    if (live == null) {
      live = consumer.getIterator(next);
    }
    scala.Option<ConsumerRecord<byte[], byte[]>> record = live.nextWithTimeout(timeoutMillis);
    return record.isDefined() ? passed(record.get()) : null;
  }

  /** Where reading goes on. */
  PartitionOffset offset() {
    return new KafkaSourcePartitionOffset(range().topicPartition(), next);
  }

  private ConsumerRecord<byte[], byte[]> passed(ConsumerRecord<byte[], byte[]> record) {
    if (record != null) {
      next = record.offset() + 1;
    }
    return record;
  }

  @Override
  public void close() {
    consumer.release();
  }
}
