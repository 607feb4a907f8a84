package headrace.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/** How often each value of each counted argument came and went: packed value to net weight, per argument. */
final class ValueChanges {
  private static final byte[] NONE = new byte[0];

  private final List<ByteCounts> changes = new ArrayList<>();

  ValueChanges(int arguments) {
    for (int i = 0; i < arguments; i++) {
      changes.add(new ByteCounts());
    }
  }

  static UnsafeProjection projection(DataType type) {
    return UnsafeProjection.create(new StructType(new StructField[] {DataTypes.createStructField("value", type, true)}));
  }

  static Object value(byte[] packed, DataType type) {
    return Packed.view(packed, 1).get(0, type);
  }

  /** Whether the value is new here. The projection's buffer is read where it lies. */
  boolean add(int argument, UnsafeProjection projection, Object value, long weight) {
    UnsafeRow packed = projection.apply(new GenericInternalRow(new Object[] {value}));
    byte[] buffer = (byte[]) packed.getBaseObject();
    int offset = (int) (packed.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
    return changes.get(argument).add(buffer, offset, packed.getSizeInBytes(), weight);
  }

  void forEach(int argument, ObjLongConsumer<byte[]> use) {
    forEachInPlace(argument, (keys, offset, length, hash, weight) ->
        use.accept(Arrays.copyOfRange(keys, offset, offset + length), weight));
  }

  void forEachInPlace(int argument, ByteCounts.Use use) {
    changes.get(argument).forEach((keys, offset, length, hash, weight) -> {
      if (weight != 0) {
        use.accept(keys, offset, length, hash, weight);
      }
    });
  }

  /** Argument, length, bytes, weight of each change, one after the other. */
  byte[] write() {
    int size = 0;
    for (ByteCounts values : changes) {
      size += values.size() * (2 * Integer.BYTES + Long.BYTES) + values.valueBytes();
    }
    if (size == 0) {
      return NONE;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (int i = 0; i < changes.size(); i++) {
      int argument = i;
      changes.get(i).forEach((keys, offset, length, hash, weight) ->
          out.putInt(argument).putInt(length).put(keys, offset, length).putLong(weight));
    }
    return out.array();
  }

  void read(ByteBuffer in) {
    while (in.hasRemaining()) {
      int argument = in.getInt();
      int length = in.getInt();
      int offset = in.position();
      in.position(offset + length);
      changes.get(argument).add(in.array(), offset, length, in.getLong());
    }
  }
}
