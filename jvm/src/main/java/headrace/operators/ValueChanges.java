package headrace.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** How often each value of each counted argument came and went: packed value to net weight, per argument. */
final class ValueChanges {
  private static final byte[] NONE = new byte[0];

  private final List<Map<BytesKey, Long>> changes = new ArrayList<>();

  ValueChanges(int arguments) {
    for (int i = 0; i < arguments; i++) {
      changes.add(new HashMap<>());
    }
  }

  static UnsafeProjection projection(DataType type) {
    return UnsafeProjection.create(new StructType(new StructField[] {DataTypes.createStructField("value", type, true)}));
  }

  static Object value(byte[] packed, DataType type) {
    return Packed.view(packed, 1).get(0, type);
  }

  void add(int argument, UnsafeProjection projection, Object value, long weight) {
    add(argument, Packed.bytes(projection, new GenericInternalRow(new Object[] {value})), weight);
  }

  private void add(int argument, byte[] packed, long weight) {
    changes.get(argument).merge(new BytesKey(packed), weight, Long::sum);
  }

  int size() {
    return changes.stream().mapToInt(Map::size).sum();
  }

  void forEach(int argument, BiConsumer<byte[], Long> use) {
    changes.get(argument).forEach((value, weight) -> {
      if (weight != 0) {
        use.accept(value.bytes, weight);
      }
    });
  }

  /** Argument, length, bytes, weight of each change, one after the other. */
  byte[] write() {
    int size = 0;
    for (Map<BytesKey, Long> values : changes) {
      for (BytesKey value : values.keySet()) {
        size += 2 * Integer.BYTES + value.bytes.length + Long.BYTES;
      }
    }
    if (size == 0) {
      return NONE;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (int argument = 0; argument < changes.size(); argument++) {
      for (Map.Entry<BytesKey, Long> change : changes.get(argument).entrySet()) {
        byte[] value = change.getKey().bytes;
        out.putInt(argument).putInt(value.length).put(value).putLong(change.getValue());
      }
    }
    return out.array();
  }

  void read(byte[] written) {
    ByteBuffer in = ByteBuffer.wrap(written);
    while (in.hasRemaining()) {
      int argument = in.getInt();
      byte[] value = new byte[in.getInt()];
      in.get(value);
      add(argument, value, in.getLong());
    }
  }
}
