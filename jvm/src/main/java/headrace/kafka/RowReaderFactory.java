package headrace.kafka;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.kafka010.KafkaBatchInputPartition;
import org.apache.spark.util.LongAccumulator;

/** Readers of rows for the partitions that Spark's Kafka stream has planned. */
record RowReaderFactory(RowSpec spec, LongAccumulator count, SkippedRecords skipped) implements PartitionReaderFactory {
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    PartitionRecords records = new PartitionRecords((KafkaBatchInputPartition) partition);
    return new RowReader(records, spec.rows(skipped), spec.newest(), count);
  }
}
