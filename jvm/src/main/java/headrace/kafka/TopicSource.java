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

/** Spark's Kafka source with our own stream around its stream; its options, and rows instead of records. */
public final class TopicSource implements TableProvider {
  /** Option: whether the source ends where the topics end when a job first starts. */
  static final String BOUNDED = "headrace.bounded";

  /** Option: what becomes of a record, see {@link RowSpec}. Spark shows no option that is called a secret. */
  static final String ROWS = "headrace.rows.secret";

  /** Option: properties of the producer of dead letters. */
  static final String DEAD_LETTERS = "headrace.dead-letters.secret";

  private final KafkaSourceProvider kafka = new KafkaSourceProvider();

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return rows(options).schema();
  }

  private static RowSpec rows(CaseInsensitiveStringMap options) {
    return RowSpec.parse(options.get(ROWS), options.get(DEAD_LETTERS));
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
    return new Topics(kafka.getTable(options), rows(options));
  }

  private record Topics(Table table, RowSpec rows) implements SupportsRead {
    @Override
    public String name() {
      return table.name();
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in the interface, so it must be answered
    public StructType schema() {
      return rows.schema();
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      Scan scan = ((SupportsRead) table).newScanBuilder(options).build();
      return () -> new TopicScan(scan, rows, options.getBoolean(BOUNDED, false));
    }
  }

  private record TopicScan(Scan scan, RowSpec rows, boolean bounded) implements Scan {
    @Override
    public StructType readSchema() {
      return rows.schema();
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpoint) {
      MicroBatchStream stream = scan.toMicroBatchStream(checkpoint);
      return new TopicStream(stream, rows, bounded ? new BoundedEnd(checkpoint) : null);
    }
  }
}
