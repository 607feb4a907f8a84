package headrace.formats;

import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A Kafka record as it was read.
 *
 * @param timestamp in microseconds as Spark keeps them, negative where it is not known
 * @param headers structs of key and value, or null where they are not known
 */
public record RawRecord(
    byte[] key, byte[] value, String topic, int partition, long offset, long timestamp, ArrayData headers) {

  String place() {
    return "topic=" + topic + " partition=" + partition + " offset=" + offset;
  }
}
