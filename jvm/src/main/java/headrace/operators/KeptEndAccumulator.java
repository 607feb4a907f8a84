package headrace.operators;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * FIRST_VALUE and LAST_VALUE where rows can go: the value at one end and its number in the order of arrival. A batch's
 * changes lie beside it until ArrivalOrders, which keeps all values, has numbered them.
 */
final class KeptEndAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;
  private static final int VALUE = 1;
  private static final int ORDER = 2;
  private static final int ARRIVED = 3;

  private final DataType type;
  private final boolean last;
  private transient UnsafeProjection projection;

  KeptEndAccumulator(DataType type, boolean last) {
    this.type = type;
    this.last = last;
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {DataTypes.BinaryType, type, DataTypes.LongType, DataTypes.LongType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = new ArrivalBag();
    state[slot + ARRIVED] = 0L;
    forget(state, slot);
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    if (projection == null) {
      projection = ValueChanges.projection(type);
    }
    changes(state, slot).add(Packed.bytes(projection, new GenericInternalRow(new Object[] {value})), weight);
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    changes(state, slot).addAll(changes(other, slot));
  }

  Bag changes(Object[] state, int slot) {
    return (Bag) state[slot];
  }

  void clearChanges(Object[] state, int slot) {
    state[slot] = new ArrivalBag();
  }

  /** The number of the next value to arrive. */
  long nextOrder(Object[] state, int slot) {
    long order = (Long) state[slot + ARRIVED];
    state[slot + ARRIVED] = order + 1;
    return order;
  }

  /** The value becomes the result if it lies further towards the end than the present one. */
  void offer(Object[] state, int slot, byte[] value, long order) {
    Long held = (Long) state[slot + ORDER];
    if (held == null || (last ? order > held : order < held)) {
      state[slot + VALUE] = ValueChanges.value(value, type);
      state[slot + ORDER] = order;
    }
  }

  boolean is(Object[] state, int slot, long order) {
    return Long.valueOf(order).equals(state[slot + ORDER]);
  }

  void forget(Object[] state, int slot) {
    state[slot + VALUE] = null;
    state[slot + ORDER] = null;
  }

  /** Of the orders of one value the one that counts. */
  long endOf(List<Long> orders) {
    return orders.get(last ? orders.size() - 1 : 0);
  }

  @Override
  public Object result(Object[] state, int slot) {
    return state[slot + VALUE];
  }

  @Override
  public void thaw(Object[] state, int slot) {
    byte[] stored = (byte[]) state[slot];
    clearChanges(state, slot);
    changes(state, slot).read(stored);
  }

  @Override
  public void freeze(Object[] state, int slot) {
    state[slot] = changes(state, slot).write();
  }

  @Override
  public boolean holdsValues() {
    return true;
  }

  @Override
  public boolean isOrdered() {
    return true;
  }
}
