package headrace.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A list of byte strings as one: each after its length. */
final class ByteLists {
  private ByteLists() {}

  static byte[] write(List<byte[]> items) {
    int size = items.stream().mapToInt(item -> Integer.BYTES + item.length).sum();
    ByteBuffer out = ByteBuffer.allocate(size);
    items.forEach(item -> out.putInt(item.length).put(item));
    return out.array();
  }

  /** Changeable; empty for null. */
  static List<byte[]> read(byte[] written) {
    List<byte[]> items = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(written == null ? new byte[0] : written);
    while (in.hasRemaining()) {
      byte[] item = new byte[in.getInt()];
      in.get(item);
      items.add(item);
    }
    return items;
  }
}
