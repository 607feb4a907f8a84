package headrace.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * What a task knows of its groups, laid out by bucket of the single values: one row a bucket, (key, blocks), with a block
 * for each group that has values there. A group's slots travel with its first block.
 */
final class BucketBlocks {
  private static final byte[] NONE = new byte[0];

  interface Use {
    /** `changes` is what ValueChanges reads. */
    void accept(byte[] group, byte[] slots, ByteBuffer changes);
  }

  private final GroupLayout layout;
  private final Blocks[] buckets;

  BucketBlocks(GroupLayout layout, int number) {
    this.layout = layout;
    buckets = new Blocks[number];
    Arrays.setAll(buckets, i -> new Blocks());
  }

  Iterator<Row> rows(Map<BytesKey, PartialGroup> groups) {
    groups.forEach(this::write);
    byte[][] keys = Buckets.keys(buckets.length);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < buckets.length; i++) {
      if (!buckets[i].isEmpty()) {
        rows.add(RowFactory.create(keys[i], buckets[i].close()));
      }
    }
    return rows.iterator();
  }

  private void write(BytesKey key, PartialGroup group) {
    byte[][] slots = {layout.store(group.state())};
    for (int i = 0; i < layout.counted.size(); i++) {
      int argument = i;
      group.values().forEachInPlace(i, (values, offset, length, hash, weight) -> {
        Blocks blocks = buckets[Buckets.of(hash, buckets.length)];
        if (blocks.group != key) {
          blocks.begin(key, slots[0]);
          slots[0] = NONE;
        }
        blocks.change(argument, values, offset, length, weight);
      });
    }
    if (slots[0] != NONE) {
      buckets[Buckets.of(key.hashCode(), buckets.length)].begin(key, slots[0]);
    }
  }

  static void read(byte[] blocks, Use use) {
    ByteBuffer in = ByteBuffer.wrap(blocks);
    while (in.hasRemaining()) {
      byte[] group = new byte[in.getInt()];
      in.get(group);
      byte[] slots = new byte[in.getInt()];
      in.get(slots);
      int end = in.getInt();
      ByteBuffer changes = in.duplicate().limit(end);
      use.accept(group, slots, changes);
      in.position(end);
    }
  }

  /** Group, slots and changes, each after its length; in place of the last one stands where they end. */
  private static final class Blocks {
    private ByteBuffer out = ByteBuffer.allocate(256);
    private int endAt = -1;
    private BytesKey group;

    boolean isEmpty() {
      return endAt < 0;
    }

    void begin(BytesKey key, byte[] slots) {
      end();
      group = key;
      room(key.bytes.length + slots.length + 3 * Integer.BYTES);
      out.putInt(key.bytes.length).put(key.bytes).putInt(slots.length).put(slots);
      endAt = out.position();
      out.putInt(0);
    }

    void change(int argument, byte[] values, int offset, int length, long weight) {
      room(length + 2 * Integer.BYTES + Long.BYTES);
      out.putInt(argument).putInt(length).put(values, offset, length).putLong(weight);
    }

    byte[] close() {
      end();
      return Arrays.copyOf(out.array(), out.position());
    }

    private void end() {
      if (endAt >= 0) {
        out.putInt(endAt, out.position());
      }
    }

    private void room(int wanted) {
      if (out.remaining() < wanted) {
        ByteBuffer larger = ByteBuffer.allocate(Math.max(out.capacity() * 2, out.position() + wanted));
        out = larger.put(out.flip());
      }
    }
  }
}
