package headrace.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.spark.sql.kafka010.consumer.KafkaDataConsumer;
import org.apache.spark.sql.kafka010.consumer.KafkaDataConsumerIterator;

/**
 * The records of one partition, through Spark's pool of consumers, which also tells lost data from a gap. Spark's own
 * reader would copy every record into a row first.
 */
final class PartitionRecords implements AutoCloseable {
  private final SourceTask.Range range;
  private final boolean failsOnLoss;
  private final KafkaDataConsumer consumer;
  private KafkaDataConsumerIterator live;
  private long next;

  PartitionRecords(SourceTask.Range range, ConsumerSettings settings) {
    this.range = range;
    this.failsOnLoss = settings.failsOnLoss;
    this.consumer = KafkaDataConsumer.acquire(range.partition(), settings.properties());
    this.next = range.from();
  }

  /** The next record of a batch, or null at its end. */
  ConsumerRecord<byte[], byte[]> next() {
    if (next >= range.until()) {
      return null;
    }
    try {
      return passed(consumer.get(next, range.until(), ConsumerSettings.POLL_MILLIS, failsOnLoss));
    } catch (IllegalStateException | OffsetOutOfRangeException lost) {
      throw gone(lost);
    }
  }

  private RuntimeException gone(RuntimeException lost) {
    var held = consumer.getAvailableOffsetRange();
    boolean endless = range.until() == Long.MAX_VALUE;
    boolean there = held.earliest() <= next && (endless ? next : range.until()) <= held.latest();
    return there ? lost : SourceException.gone(range.partition(), next, held.earliest(), held.latest(), lost);
  }

  /** The next record of a stream without batches, or null if none comes in time. */
  ConsumerRecord<byte[], byte[]> next(long timeoutMillis) {
    try {
      if (live == null) {
        live = consumer.getIterator(next);
      }
      scala.Option<ConsumerRecord<byte[], byte[]>> record = live.nextWithTimeout(timeoutMillis);
      return record.isDefined() ? passed(record.get()) : null;
    } catch (IllegalStateException | OffsetOutOfRangeException lost) {
      throw gone(lost);
    }
  }

  /** Where reading goes on. */
  PartitionPlace place() {
    return new PartitionPlace(range.partition(), next);
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
