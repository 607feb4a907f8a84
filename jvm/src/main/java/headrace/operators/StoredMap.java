package headrace.operators;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.execution.streaming.state.PrefixKeyScanStateEncoderSpec;
import org.apache.spark.sql.execution.streaming.state.StateStore;
import org.apache.spark.sql.execution.streaming.state.StateStoreIterator;
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair;
import org.apache.spark.sql.types.StructType;

/** Values in the state store, under the key of their group and their own. */
final class StoredMap implements GroupMap {
  private static final int OWN = 1;

  private final StateStore store;
  private final String name;
  private final GroupKey group;
  private final UnsafeRowWriter whole = new UnsafeRowWriter(2);
  private final UnsafeRowWriter prefix = new UnsafeRowWriter(1);
  private final BinaryRow own = new BinaryRow();
  private final BinaryRow value = new BinaryRow();

  StoredMap(StateStore store, String name, GroupKey group) {
    this.store = store;
    this.name = name;
    this.group = group;
    StructType keys = new StructType().add("key", group.schema).add("userKey", BinaryRow.SCHEMA);
    store.createColFamilyIfAbsent(
        name, keys, BinaryRow.SCHEMA, new PrefixKeyScanStateEncoderSpec(keys, OWN), false, false);
  }

  @Override
  public byte[] get(byte[] key) {
    UnsafeRow stored = store.get(row(key), name);
    return stored == null ? null : stored.getBinary(0);
  }

  @Override
  public void put(byte[] key, byte[] bytes) {
    store.put(row(key), value.of(bytes), name);
  }

  @Override
  public void remove(byte[] key) {
    store.remove(row(key), name);
  }

  @Override
  public void forEach(BiConsumer<byte[], byte[]> use) {
    prefix.reset();
    prefix.zeroOutNullBytes();
    prefix.write(0, group.row());
    StateStoreIterator<UnsafeRowPair> pairs = store.prefixScan(prefix.getRow(), name);
    try {
      while (pairs.hasNext()) {
        UnsafeRowPair pair = pairs.next();
        use.accept(pair.key().getStruct(OWN, 1).getBinary(0), pair.value().getBinary(0));
      }
    } finally {
      pairs.close();
    }
  }

  /** Nothing is removed under an open iterator. */
  @Override
  public void clear() {
    List<byte[]> keys = new ArrayList<>();
    forEach((key, any) -> keys.add(key));
    keys.forEach(this::remove);
  }

  private UnsafeRow row(byte[] key) {
    whole.reset();
    whole.zeroOutNullBytes();
    whole.write(0, group.row());
    whole.write(OWN, own.of(key));
    return whole.getRow();
  }
}
