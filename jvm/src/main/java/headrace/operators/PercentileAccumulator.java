package headrace.operators;

import headrace.operators.AggregateSpec.CallSpec;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * PERCENTILE: how many rows have each value, in order; a place between two values lies on the line between them. What is
 * added is a double, or a row of a double and how often it counts.
 */
final class PercentileAccumulator implements Accumulator {
  private static final long serialVersionUID = 1L;
  private static final int ENTRY = Double.BYTES + 2 * Long.BYTES;
  private static final Comparator<Entry> ORDER = Comparator.comparingDouble(Entry::value).thenComparingLong(Entry::frequency);

  private final CallSpec spec;

  PercentileAccumulator(CallSpec spec) {
    this.spec = spec;
  }

  private record Entry(double value, long frequency) {
    static Entry of(Object value) {
      return value instanceof InternalRow row
          ? new Entry(row.getDouble(0), row.getLong(1))
          : new Entry((Double) value, 1L);
    }
  }

  @Override
  public DataType[] slots() {
    return new DataType[] {DataTypes.BinaryType};
  }

  @Override
  public void start(Object[] state, int slot) {
    state[slot] = new TreeMap<Entry, Long>(ORDER);
  }

  @SuppressWarnings("unchecked")
  private static NavigableMap<Entry, Long> rows(Object[] state, int slot) {
    return (NavigableMap<Entry, Long>) state[slot];
  }

  @Override
  public void add(Object[] state, int slot, Object value, long weight) {
    Entry entry = Entry.of(value);
    if (entry.frequency() > 0) {
      add(rows(state, slot), entry, weight);
    }
  }

  private static void add(Map<Entry, Long> rows, Entry entry, long weight) {
    rows.merge(entry, weight, (held, more) -> held + more == 0 ? null : held + more);
  }

  @Override
  public void merge(Object[] state, int slot, Object[] other) {
    rows(other, slot).forEach((entry, weight) -> add(rows(state, slot), entry, weight));
  }

  @Override
  public Object result(Object[] state, int slot) {
    NavigableMap<Entry, Long> rows = rows(state, slot);
    long total = 0;
    for (Map.Entry<Entry, Long> row : rows.entrySet()) {
      total += count(row);
    }
    if (total == 0) {
      return null;
    }
    Object[] found = new Object[spec.percentages().length];
    for (int i = 0; i < found.length; i++) {
      found[i] = at(rows, spec.percentages()[i] * (total - 1));
    }
    return spec.type() instanceof ArrayType ? new GenericArrayData(found) : found[0];
  }

  /** How often the value counts. */
  private long count(Map.Entry<Entry, Long> row) {
    long copies = spec.distinct() ? Math.min(row.getValue(), 1L) : row.getValue();
    return copies > 0 ? copies * row.getKey().frequency() : 0L;
  }

  /** The value at a place counted from 0. */
  private double at(NavigableMap<Entry, Long> rows, double place) {
    long lower = (long) Math.floor(place);
    long seen = 0;
    double below = Double.NaN;
    for (Map.Entry<Entry, Long> row : rows.entrySet()) {
      double value = row.getKey().value();
      if (seen > lower && count(row) > 0) {
        return (lower + 1 - place) * below + (place - lower) * value;
      }
      seen += count(row);
      below = value;
      if (seen > Math.ceil(place)) {
        return value;
      }
    }
    return below;
  }

  @Override
  public void thaw(Object[] state, int slot) {
    ByteBuffer stored = ByteBuffer.wrap((byte[]) state[slot]);
    start(state, slot);
    while (stored.hasRemaining()) {
      add(rows(state, slot), new Entry(stored.getDouble(), stored.getLong()), stored.getLong());
    }
  }

  @Override
  public void freeze(Object[] state, int slot) {
    ByteBuffer out = ByteBuffer.allocate(rows(state, slot).size() * ENTRY);
    rows(state, slot)
        .forEach((entry, weight) -> out.putDouble(entry.value()).putLong(entry.frequency()).putLong(weight));
    state[slot] = out.array();
  }

  @Override
  public boolean holdsValues() {
    return true;
  }
}
