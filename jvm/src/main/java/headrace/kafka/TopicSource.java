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
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Topics as a source of Spark that gives rows instead of records. */
public final class TopicSource implements TableProvider {
  /** Option: what is read, see {@link ScanSpec}. */
  static final String SCAN = "headrace.scan";

  /** Option: properties of the consumers. Spark shows no option that is called a secret. */
  static final String CLIENT = "headrace.client.secret";

  /** Option: what becomes of a record, see {@link RowSpec}. Spark shows no option that is called a secret. */
  static final String ROWS = "headrace.rows.secret";

  /** Option: properties of the producer of dead letters. */
  static final String DEAD_LETTERS = "headrace.dead-letters.secret";

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return rows(options).schema();
  }

  private static RowSpec rows(CaseInsensitiveStringMap options) {
    return RowSpec.parse(options.get(ROWS), options.get(DEAD_LETTERS));
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new Topics(rows(new CaseInsensitiveStringMap(properties)));
  }

  private record Topics(RowSpec rows) implements SupportsRead {
    @Override
    public String name() {
      return "topics";
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
      return () -> new TopicScan(ScanSpec.parse(options.get(SCAN)), rows, new Client(options.get(CLIENT)));
    }
  }

  /** Properties as JSON; printed as nothing. */
  private static final class Client {
    final String properties;

    Client(String properties) {
      this.properties = properties;
    }
  }

  private record TopicScan(ScanSpec spec, RowSpec rows, Client client) implements Scan {
    @Override
    public StructType readSchema() {
      return rows.schema();
    }

    @Override
    public String description() {
      return spec.name();
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpoint) {
      return new TopicStream(spec, rows, client.properties, checkpoint);
    }
  }
}
