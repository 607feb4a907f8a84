package headrace.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.time.Instant;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.ForeachWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamWriter;

/** Writes rows one by one as they come, for queries that run without batches; waits for the broker when an epoch ends. */
public final class LiveWriter extends ForeachWriter<Row> {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final HashMap<String, String> properties;
  private final boolean fixedPartition;
  private transient KafkaProducer<byte[], byte[]> producer;
  private transient Integer partition;
  private transient AtomicReference<Exception> failure;

  private LiveWriter(WriterSpec spec) {
    topic = spec.topic;
    properties = new HashMap<>(spec.properties);
    fixedPartition = spec.fixedPartition;
  }

  /** The query over weighted rows, to be started. */
  public static DataStreamWriter<Row> of(Dataset<Row> rows, String specification) {
    WriterSpec spec = new WriterSpec(specification);
    return rows.select(spec.columns(false)).writeStream().foreach(new LiveWriter(spec));
  }

  @Override
  public boolean open(long partitionId, long epochId) {
    producer = Producers.of(Map.copyOf(properties));
    failure = new AtomicReference<>();
    partition = fixedPartition ? TaskContext.getPartitionId() % producer.partitionsFor(topic).size() : null;
    return true;
  }

  @Override
  public void process(Row row) {
    if (failure.get() != null) {
      throw failed(failure.get());
    }
    Instant at = row.getAs(Outgoing.TIMESTAMP);
    Long timestamp = at == null ? null : at.toEpochMilli();
    byte[] key = row.getAs(Outgoing.KEY);
    byte[] value = row.getAs(Outgoing.VALUE);
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, timestamp, key, value, headers(row));
    try {
      producer.send(record, (written, error) -> failure.compareAndSet(null, error));
    } catch (KafkaException refused) {
      throw failed(refused);
    }
  }

  private static RecordHeaders headers(Row row) {
    if (row.isNullAt(Outgoing.HEADERS)) {
      return null;
    }
    RecordHeaders headers = new RecordHeaders();
    List<Row> entries = row.getList(Outgoing.HEADERS);
    for (Row entry : entries) {
      if (entry != null && !entry.isNullAt(0)) {
        headers.add(entry.getString(0), entry.getAs(1));
      }
    }
    return headers;
  }

  @Override
  public void close(Throwable cause) {
    if (producer == null || cause != null) {
      return;
    }
    producer.flush();
    if (failure.get() != null) {
      throw failed(failure.get());
    }
  }

  private KafkaWriteException failed(Exception cause) {
    Producers.discard(Map.copyOf(properties), producer);
    return new KafkaWriteException(topic, properties.get("bootstrap.servers"), cause);
  }
}
