package headrace.kafka;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;

/** What a record says beside its key and value, as Spark's internal values. */
enum RecordField {
  TOPIC(DataTypes.StringType) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      return UTF8String.fromString(record.topic());
    }
  },
  PARTITION(DataTypes.IntegerType) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      return record.partition();
    }
  },
  OFFSET(DataTypes.LongType) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      return record.offset();
    }
  },
  TIMESTAMP(DataTypes.TimestampType) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      return record.timestamp() * MICROS_PER_MILLI;
    }
  },
  TIMESTAMP_TYPE(DataTypes.StringType) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      return UTF8String.fromString(record.timestampType().name);
    }
  },
  LEADER_EPOCH(DataTypes.IntegerType) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      return record.leaderEpoch().orElse(null);
    }
  },
  HEADERS(headerList()) {
    @Override
    Object of(ConsumerRecord<byte[], byte[]> record) {
      List<Object> headers = new ArrayList<>();
      for (Header header : record.headers()) {
        headers.add(new GenericInternalRow(new Object[] {UTF8String.fromString(header.key()), header.value()}));
      }
      return new GenericArrayData(headers.toArray());
    }
  };

  private static final long MICROS_PER_MILLI = 1000L;

  final DataType type;

  RecordField(DataType type) {
    this.type = type;
  }

  abstract Object of(ConsumerRecord<byte[], byte[]> record);

  private static DataType headerList() {
    List<StructField> header = Arrays.asList(
        DataTypes.createStructField("key", DataTypes.StringType, false),
        DataTypes.createStructField("value", DataTypes.BinaryType, true));
    return DataTypes.createArrayType(DataTypes.createStructType(header), false);
  }
}
