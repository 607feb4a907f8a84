package headrace.kafka;

import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;

/** How far a reader has come that runs without batches. */
record PartitionPlace(TopicPartition partition, long next) implements PartitionOffset {}
