package headrace.kafka;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.VoidFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.LongAccumulator;

/** Writes the rows of one task in their order and returns when the broker has acknowledged all of them. */
final class PartitionSender implements VoidFunction<Iterator<InternalRow>> {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final HashMap<String, String> properties;
  private final boolean upsert;
  private final boolean fold;
  private final boolean fixedPartition;
  private final LongAccumulator strangeKeys;

  PartitionSender(WriterSpec spec) {
    this(spec, null);
  }

  /** For rows beside the topic's own keys; those that are no keys of the table are counted and left alone. */
  static PartitionSender reconciling(WriterSpec spec, LongAccumulator strangeKeys) {
    return new PartitionSender(spec, strangeKeys);
  }

  private PartitionSender(WriterSpec spec, LongAccumulator strangeKeys) {
    this.topic = spec.topic;
    this.properties = new HashMap<>(spec.properties);
    this.upsert = spec.upsert;
    this.fold = spec.fold;
    this.fixedPartition = spec.fixedPartition;
    this.strangeKeys = strangeKeys;
  }

  @Override
  public void call(Iterator<InternalRow> rows) {
    if (!rows.hasNext()) {
      return;
    }
    KafkaProducer<byte[], byte[]> producer = null;
    try {
      producer = Producers.of(Map.copyOf(properties));
      send(producer, changes(strangeKeys == null ? rows : known(rows)));
    } catch (KafkaException failure) {
      if (producer != null) {
        Producers.discard(Map.copyOf(properties), producer);
      }
      throw new KafkaWriteException(topic, properties.get("bootstrap.servers"), failure);
    }
  }

  private Iterator<Outgoing> changes(Iterator<InternalRow> rows) {
    Iterator<Outgoing> changes = new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public Outgoing next() {
        return Outgoing.of(rows.next());
      }
    };
    if (fold) {
      return new ChangeFold(changes);
    }
    return strangeKeys == null ? changes : new FirstRemovals(changes);
  }

  private Iterator<InternalRow> known(Iterator<InternalRow> rows) {
    return new Iterator<>() {
      private InternalRow ahead;

      @Override
      public boolean hasNext() {
        while (ahead == null && rows.hasNext()) {
          InternalRow row = rows.next();
          if (row.isNullAt(Outgoing.SPELLING)) {
            strangeKeys.add(1L);
          } else {
            ahead = row;
          }
        }
        return ahead != null;
      }

      @Override
      public InternalRow next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        InternalRow row = ahead;
        ahead = null;
        return row;
      }
    };
  }

  private void send(KafkaProducer<byte[], byte[]> producer, Iterator<Outgoing> changes) {
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    Integer partition = fixedPartition ? ownPartition(producer) : null;
    while (changes.hasNext() && failure.get() == null) {
      Outgoing change = changes.next();
      ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
          topic, partition, change.timestamp, change.key, valueOf(change), change.headers);
      for (long copy = 0; copy < copies(change); copy++) {
        producer.send(record, (written, error) -> {
          if (error != null) {
            failure.compareAndSet(null, new KafkaException(error.getMessage(), error));
          }
        });
      }
    }
    producer.flush();
    if (failure.get() != null) {
      throw failure.get();
    }
  }

  /** Under a key one record stands for the row; without a key every copy of a row is a record. */
  private long copies(Outgoing change) {
    return upsert ? Math.min(1, Math.abs(change.weight)) : change.weight;
  }

  private byte[] valueOf(Outgoing change) {
    if (change.weight < 0 && !upsert) {
      throw new IllegalStateException("the append-only topic '" + topic + "' was given a removal");
    }
    return change.weight < 0 ? null : change.value;
  }

  private Integer ownPartition(KafkaProducer<byte[], byte[]> producer) {
    return TaskContext.getPartitionId() % producer.partitionsFor(topic).size();
  }
}
