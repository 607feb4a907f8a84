package headrace.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.ForeachWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.python.UserDefinedPythonFunction;
import org.apache.spark.sql.streaming.DataStreamWriter;

/** Writes rows one by one as they come, for queries that run without batches; waits for the broker when an epoch ends. */
public final class LiveWriter extends ForeachWriter<Row> {
  private static final long serialVersionUID = 1L;

  private final Destination destination;
  private final HashMap<String, String> properties;
  private final Envelope envelope;
  private transient KafkaProducer<byte[], byte[]> producer;
  private transient AtomicReference<Exception> failure;

  private LiveWriter(WriterSpec spec) {
    destination = spec.destination;
    properties = new HashMap<>(spec.properties);
    envelope = spec.envelope;
  }

  /** The query over weighted rows, to be started. `partitioner` may be null. */
  public static DataStreamWriter<Row> of(
      Dataset<Row> rows, String specification, UserDefinedPythonFunction partitioner) {
    WriterSpec spec = new WriterSpec(specification);
    return spec.records(rows, false, partitioner).writeStream().foreach(new LiveWriter(spec));
  }

  @Override
  public boolean open(long partitionId, long epochId) {
    producer = Producers.of(Map.copyOf(properties));
    failure = new AtomicReference<>();
    return true;
  }

  @Override
  public void process(Row row) {
    if (failure.get() != null) {
      throw failed(failure.get());
    }
    Outgoing change = Outgoing.of(row);
    byte[] value = envelope == null ? change.value : envelope.around(change.value, change.weight);
    try {
      producer.send(
          destination.record(change, value, producer), (written, error) -> failure.compareAndSet(null, error));
    } catch (KafkaException refused) {
      throw failed(refused);
    }
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
    return Producers.failed(Map.copyOf(properties), producer, destination.name(), cause);
  }
}
