package headrace.operators;

import java.lang.reflect.Field;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.statefulprocessor.StatefulProcessorHandleImpl;
import org.apache.spark.sql.execution.streaming.state.StateStore;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.types.StructType;

/**
 * The state of an operator. Spark's own state variables make encoders for every task, which is most of the work of a small batch,
 * and encode the key of the group anew for every access. State without a time to live therefore goes to the store directly, in
 * the layout of Spark's variables; with one, and on the driver, where only the layout is asked for, it is theirs.
 */
final class GroupStates {
  private final StatefulProcessorHandle handle;
  private final GroupKey group;
  private final StateStore store;

  GroupStates(StatefulProcessorHandle handle, StructType keys) {
    this.handle = handle;
    this.group = new GroupKey(keys);
    this.store = handle instanceof StatefulProcessorHandleImpl ? storeOf(handle) : null;
  }

  /** Turns to a group, by its packed key; Spark turns its own variables. */
  void at(byte[] key) {
    group.set(key);
  }

  GroupValue value(String name, long ttlMillis) {
    return store != null && ttlMillis == 0
        ? new StoredValue(store, name, group)
        : new SparkValue(handle.getValueState(name, Encoders.BINARY(), Spec.ttl(ttlMillis)));
  }

  GroupMap map(String name, long ttlMillis) {
    return store != null && ttlMillis == 0
        ? new StoredMap(store, name, group)
        : new SparkMap(handle.getMapState(name, Encoders.BINARY(), Encoders.BINARY(), Spec.ttl(ttlMillis)));
  }

  private static StateStore storeOf(StatefulProcessorHandle handle) {
    try {
      Field field = StatefulProcessorHandleImpl.class.getDeclaredField("store");
      field.setAccessible(true);
      return (StateStore) field.get(handle);
    } catch (ReflectiveOperationException changed) {
      throw new IllegalStateException("this version of Spark keeps its state store elsewhere", changed);
    }
  }
}
