package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Aggregates whose result is made of the single values: lists, arrays, multisets, and the first or last of distinct
 * ones. The values are the state, which is no larger than the result.
 */
final class BagAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;

  private final CallSpec spec;
  private final DataType type;
  private final BagResult result;
  private transient UnsafeProjection projection;

  BagAccumulator(CallSpec spec, DataType type, BagResult result) {
    this.spec = spec;
    this.type = type;
    this.result = result;
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {DataTypes.BinaryType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = spec.distinct() || result == BagResult.MULTISET ? new CountedBag() : new ArrivalBag();
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    if (projection == null) {
      projection = ValueChanges.projection(type);
    }
    ((Bag) state[slot]).add(Packed.bytes(projection, new GenericInternalRow(new Object[] {value})), weight);
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    ((Bag) state[slot]).addAll((Bag) other[slot]);
  }

  @Override
  public Object result(Object[] state, int slot) {
    return result.of((Bag) state[slot], type, spec);
  }

  @Override
  public void thaw(Object[] state, int slot) {
    byte[] stored = (byte[]) state[slot];
    start(state, slot);
    ((Bag) state[slot]).read(stored);
  }

  @Override
  public void freeze(Object[] state, int slot) {
    state[slot] = ((Bag) state[slot]).write();
  }

  @Override
  public boolean takesNulls() {
    return spec.keepsNulls() || result == BagResult.JSON_OBJECT;
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
