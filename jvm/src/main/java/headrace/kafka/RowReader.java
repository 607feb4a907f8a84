package headrace.kafka;

import headrace.operators.NewestRows;
import java.util.Collections;
import java.util.Iterator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeRead;
import org.apache.spark.util.LongAccumulator;

/**
 * The rows of the records of one task. Where a key is given, of all rows of a key that a batch has only the newest is
 * given out, in portions that fit into memory: what follows (state, shuffles) sees a row per key instead of its history.
 */
final class RowReader implements SupportsRealTimeRead<InternalRow> {
  private final TaskRecords records;
  private final RowsOfRecord decoder;
  private final NewestRows newest;
  private final LongAccumulator count;
  private Iterator<InternalRow> rows = Collections.emptyIterator();
  private InternalRow row;
  private long read;

  /** `newest` is null where every row counts. */
  RowReader(TaskRecords records, RowsOfRecord decoder, NewestRows newest, LongAccumulator count) {
    this.records = records;
    this.decoder = decoder;
    this.newest = newest;
    this.count = count;
  }

  @Override
  public boolean next() {
    while (!rows.hasNext()) {
      ConsumerRecord<byte[], byte[]> record = records.next();
      if (record == null) {
        return false;
      }
      rows = newest == null ? decoded(record) : portion(record);
    }
    row = rows.next();
    return true;
  }

  private Iterator<InternalRow> decoded(ConsumerRecord<byte[], byte[]> record) {
    read++;
    return decoder.rows(record);
  }

  private Iterator<InternalRow> portion(ConsumerRecord<byte[], byte[]> first) {
    newest.clear();
    ConsumerRecord<byte[], byte[]> record = first;
    while (record != null) {
      decoded(record).forEachRemaining(newest::add);
      record = newest.isFull() ? null : records.next();
    }
    return newest.iterator();
  }

  /** Without batches there is nothing to combine: every row goes out as it comes. */
  @Override
  public RecordStatus nextWithTimeout(Long timeoutMillis) {
    while (!rows.hasNext()) {
      ConsumerRecord<byte[], byte[]> record = records.next(timeoutMillis);
      if (record == null) {
        return RecordStatus.newStatusWithoutArrivalTime(false);
      }
      rows = decoded(record);
    }
    row = rows.next();
    return RecordStatus.newStatusWithoutArrivalTime(true);
  }

  @Override
  public PartitionOffset getOffset() {
    return records.offset();
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public void close() {
    count.add(read);
    try (records) {
      decoder.close();
    }
  }
}
