package headrace.operators;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.streaming.state.NoPrefixKeyStateEncoderSpec;
import org.apache.spark.sql.execution.streaming.state.StateStore;

/** A value in the state store, under the key of its group. */
final class StoredValue implements GroupValue {
  private final StateStore store;
  private final String name;
  private final GroupKey group;
  private final BinaryRow value = new BinaryRow();

  StoredValue(StateStore store, String name, GroupKey group) {
    this.store = store;
    this.name = name;
    this.group = group;
    store.createColFamilyIfAbsent(
        name, group.schema, BinaryRow.SCHEMA, new NoPrefixKeyStateEncoderSpec(group.schema), false, false);
  }

  @Override
  public byte[] get() {
    UnsafeRow stored = store.get(group.row(), name);
    return stored == null ? null : stored.getBinary(0);
  }

  @Override
  public void update(byte[] bytes) {
    store.put(group.row(), value.of(bytes), name);
  }

  @Override
  public void clear() {
    store.remove(group.row(), name);
  }
}
