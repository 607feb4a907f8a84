package headrace.kafka;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.kafka010.KafkaSourceProvider;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Spark's Kafka source with our own stream in front of its stream; options and columns are the same. */
public final class TopicSource implements TableProvider {
  /** Option: whether the source ends where the topics end when a job first starts. */
  static final String BOUNDED = "headrace.bounded";
  /** Option: id of the counter of the records that the query goes on without. */
  static final String SKIPPED = "headrace.skipped";

  private final KafkaSourceProvider kafka = new KafkaSourceProvider();

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return kafka.inferSchema(options);
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    Table table = kafka.getTable(new CaseInsensitiveStringMap(properties));
    return new Topics(table);
  }

  private record Topics(Table table) implements SupportsRead {
    @Override
    public String name() {
      return table.name();
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in the interface, so it must be answered
    public StructType schema() {
      return table.schema();
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      Scan scan = ((SupportsRead) table).newScanBuilder(options).build();
      return () -> new TopicScan(scan, options.getBoolean(BOUNDED, false), options.getLong(SKIPPED, -1L));
    }
  }

  private record TopicScan(Scan scan, boolean bounded, long counter) implements Scan {
    @Override
    public StructType readSchema() {
      return scan.readSchema();
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpoint) {
      MicroBatchStream stream = scan.toMicroBatchStream(checkpoint);
      SkippedRecords skipped = counter < 0 ? null : SkippedRecords.withId(counter);
      return new TopicStream(stream, bounded ? new BoundedEnd(checkpoint) : null, skipped);
    }
  }
}
