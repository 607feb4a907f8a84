package headrace.kafka;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** One change on its way to Kafka: the encoded record and its weight. */
final class Outgoing {
  /** Places of the columns that the writer selects before it iterates. */
  static final int KEY = 0;
  static final int VALUE = 1;
  static final int WEIGHT = 2;
  static final int TIMESTAMP = 3;
  static final int HEADERS = 4;
  static final int TOPIC = 5;
  static final int PARTITION = 6;
  /** Where the batch stands beside the topic's own keys: the key as this table spells it, NULL for no key of it. */
  static final int SPELLING = 7;

  private static final long MICROS_PER_MILLI = 1000L;

  final byte[] key;
  final byte[] value;
  final long weight;
  final Long timestamp;
  final RecordHeaders headers;
  /** NULL unless the row chooses it. */
  final String topic;
  final Integer partition;

  private Outgoing(
      byte[] key, byte[] value, long weight, Long timestamp, RecordHeaders headers, String topic, Integer partition) {
    this.key = key;
    this.value = value;
    this.weight = weight;
    this.timestamp = timestamp;
    this.headers = headers;
    this.topic = topic;
    this.partition = partition;
  }

  /** Copies everything out of `row`, which Spark may reuse for the next one. */
  static Outgoing of(InternalRow row) {
    return new Outgoing(
        row.isNullAt(KEY) ? null : row.getBinary(KEY),
        row.isNullAt(VALUE) ? null : row.getBinary(VALUE),
        row.getLong(WEIGHT),
        row.isNullAt(TIMESTAMP) ? null : Math.floorDiv(row.getLong(TIMESTAMP), MICROS_PER_MILLI),
        row.isNullAt(HEADERS) ? null : headersOf(row.getArray(HEADERS)),
        row.isNullAt(TOPIC) ? null : row.getUTF8String(TOPIC).toString(),
        row.isNullAt(PARTITION) ? null : row.getInt(PARTITION));
  }

  static Outgoing of(Row row) {
    Instant at = row.getAs(TIMESTAMP);
    return new Outgoing(
        row.getAs(KEY),
        row.getAs(VALUE),
        row.getLong(WEIGHT),
        at == null ? null : at.toEpochMilli(),
        row.isNullAt(HEADERS) ? null : headersOf(row.getList(HEADERS)),
        row.getAs(TOPIC),
        row.getAs(PARTITION));
  }

  /** The same record with another weight. */
  Outgoing weighing(long other) {
    return new Outgoing(key, value, other, timestamp, headers, topic, partition);
  }

  /** Whether both stand under one key: that of another topic is another one. */
  boolean sameKey(Outgoing other) {
    return Arrays.equals(key, other.key) && Objects.equals(topic, other.topic);
  }

  /** Equal as rows: a removal cancels an addition of the same content, metadata included. */
  boolean sameRow(Outgoing other) {
    return Arrays.equals(value, other.value)
        && Objects.equals(timestamp, other.timestamp)
        && Objects.equals(headers, other.headers);
  }

  private static RecordHeaders headersOf(ArrayData entries) {
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < entries.numElements(); i++) {
      InternalRow entry = entries.isNullAt(i) ? null : entries.getStruct(i, 2);
      if (entry != null && !entry.isNullAt(0)) {
        headers.add(entry.getUTF8String(0).toString(), entry.isNullAt(1) ? null : entry.getBinary(1));
      }
    }
    return headers;
  }

  private static RecordHeaders headersOf(List<Row> entries) {
    RecordHeaders headers = new RecordHeaders();
    entries.stream()
        .filter(entry -> entry != null && !entry.isNullAt(0))
        .forEach(entry -> headers.add(entry.getString(0), entry.getAs(1)));
    return headers;
  }
}
