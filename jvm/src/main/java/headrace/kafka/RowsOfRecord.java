package headrace.kafka;

import headrace.formats.RecordDecoder;
import headrace.formats.RecordException;
import headrace.formats.UnreadableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.spark.sql.catalyst.InternalRow;

/** Decodes records: the table's columns, the weight, then fields of the record itself. */
final class RowsOfRecord implements AutoCloseable {
  private final RecordDecoder decoder;
  private final List<RecordField> kept;
  private final UnreadableRecords unreadable;
  private final int room;

  /** `unreadable` is null where a record that cannot be decoded fails the task. */
  RowsOfRecord(RecordDecoder decoder, List<RecordField> kept, UnreadableRecords unreadable) {
    this.decoder = decoder;
    this.kept = kept;
    this.unreadable = unreadable;
    this.room = decoder.rowType().length();
  }

  Iterator<InternalRow> rows(ConsumerRecord<byte[], byte[]> record) {
    try {
      InternalRow[] rows = decoder.rows(record.key(), record.value());
      for (InternalRow row : rows) {
        complete(row, record);
      }
      return rows.length == 1 ? Collections.singleton(rows[0]).iterator() : Arrays.asList(rows).iterator();
    } catch (UnreadableException failure) {
      return without(record, failure.at(record.topic(), record.partition(), record.offset()));
    }
  }

  private void complete(InternalRow row, ConsumerRecord<byte[], byte[]> record) {
    for (int i = 0; i < kept.size(); i++) {
      row.update(room + i, kept.get(i).of(record));
    }
  }

  private Iterator<InternalRow> without(ConsumerRecord<byte[], byte[]> record, RecordException reason) {
    if (unreadable == null) {
      throw reason;
    }
    unreadable.take(record, reason);
    return Collections.emptyIterator();
  }

  @Override
  public void close() {
    if (unreadable != null) {
      unreadable.close();
    }
  }
}
