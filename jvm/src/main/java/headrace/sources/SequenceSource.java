package headrace.sources;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A stream of row numbers 0, 1, 2, … at a given rate (`rowsPerSecond`), perhaps with an end (`numberOfRows`). Every row
 * carries the stream's random seed, which is kept with the offsets and so survives a restart.
 */
public final class SequenceSource implements TableProvider {
  static final StructType SCHEMA = new StructType()
      .add("value", DataTypes.LongType, false)
      .add("seed", DataTypes.LongType, false);

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new SequenceTable();
  }

  private static final class SequenceTable implements Table, SupportsRead {
    @Override
    public String name() {
      return "sequence";
    }

    @Override
    public Column[] columns() {
      return CatalogV2Util.structTypeToV2Columns(SCHEMA);
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return () -> new SequenceScan(options);
    }
  }

  private record SequenceScan(CaseInsensitiveStringMap options) implements Scan {
    @Override
    public StructType readSchema() {
      return SCHEMA;
    }

    @Override
    public String description() {
      return "sequence " + options.asCaseSensitiveMap();
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
      return new SequenceStream(
          options.getLong("rowsPerSecond", 1),
          options.getLong("numberOfRows", Long.MAX_VALUE),
          options.getInt("partitions", 1));
    }
  }
}
