package headrace.kafka;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.util.LongAccumulator;

/** Readers of rows for the tasks that a {@link TopicStream} has planned. */
record RowReaderFactory(RowSpec spec, ConsumerSettings consumers, LongAccumulator count, SkippedRecords skipped)
    implements PartitionReaderFactory {
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition task) {
    TaskRecords records = new TaskRecords((SourceTask) task, consumers);
    return new RowReader(records, spec.rows(skipped), spec.newest(), count);
  }
}
