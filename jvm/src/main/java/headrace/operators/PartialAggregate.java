package headrace.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Before the shuffle: a task adds up the rows of each group it meets, so that what travels grows with the number of
 * groups and distinct values, not with the number of rows. In: (key, arguments, weight), the first two structs; out: (key, slots, values), and
 * the place of the portion among all where a call needs the order of arrival; or split into buckets, see BucketBlocks.
 */
final class PartialAggregate implements MapPartitionsFunction<InternalRow, Row> {
  private static final long serialVersionUID = 1L;

  /** Groups and values held at once; 300 bytes a group and 50 a value at most. Past it, what is held goes out. */
  private static final int MAX_ENTRIES = 500_000;

  private final GroupLayout layout;
  private final int buckets;

  PartialAggregate(GroupLayout layout, int buckets) {
    this.layout = layout;
    this.buckets = buckets;
  }

  @Override
  public Iterator<Row> call(Iterator<InternalRow> rows) {
    UnsafeProjection keyOf = UnsafeProjection.create(layout.keys);
    List<UnsafeProjection> projections = new ArrayList<>();
    layout.counted.forEach(calls -> projections.add(ValueChanges.projection(calls.get(0).valueType())));
    long task = (long) TaskContext.getPartitionId() << Integer.SIZE;
    return new Drain<InternalRow, Row>(rows) {
      private int portions;

      @Override
      Iterator<Row> fill(Iterator<InternalRow> input) {
        return partials(input, keyOf, projections, task + portions++);
      }
    };
  }

  private Iterator<Row> partials(
      Iterator<InternalRow> input, UnsafeProjection keyOf, List<UnsafeProjection> projections, long place) {
    ByteTable keys = new ByteTable();
    List<PartialGroup> groups = new ArrayList<>();
    int held = 0;
    while (input.hasNext() && held < MAX_ENTRIES) {
      InternalRow row = input.next();
      InternalRow key = row.getStruct(0, layout.keys.length());
      // Generated code gives a struct as bytes; where Spark runs without it, cells are objects.
      int entry = Packed.entry(keys, key instanceof UnsafeRow bytes ? bytes : keyOf.apply(key));
      if (keys.size() > groups.size()) {
        keys.number(entry, groups.size());
        groups.add(new PartialGroup(layout.start(), new ValueChanges(layout.counted.size())));
        held++;
      }
      PartialGroup group = groups.get((int) keys.number(entry));
      held += add(group, row.getStruct(1, layout.argumentWidth), row.getLong(2), projections);
    }
    Map<BytesKey, PartialGroup> byKey = byKey(keys, groups);
    return buckets == 0 ? byGroup(byKey, place) : new BucketBlocks(layout, buckets).rows(byKey);
  }

  private static Map<BytesKey, PartialGroup> byKey(ByteTable keys, List<PartialGroup> groups) {
    Map<BytesKey, PartialGroup> byKey = new HashMap<>(groups.size() * 2);
    for (int entry = 0; entry < keys.end(); entry = keys.next(entry)) {
      byte[] key = Arrays.copyOfRange(keys.bytes(), keys.start(entry), keys.start(entry) + keys.length(entry));
      byKey.put(new BytesKey(key), groups.get((int) keys.number(entry)));
    }
    return byKey;
  }

  private Iterator<Row> byGroup(Map<BytesKey, PartialGroup> groups, long place) {
    return groups.entrySet().stream().map(entry -> {
      byte[] slots = layout.store(entry.getValue().state());
      byte[] values = entry.getValue().values().write();
      byte[] key = entry.getKey().bytes;
      return layout.ordered ? RowFactory.create(key, slots, values, place) : RowFactory.create(key, slots, values);
    }).iterator();
  }

  /** How many values are held more than before, or at most are. */
  private int add(PartialGroup group, InternalRow arguments, long weight, List<UnsafeProjection> projections) {
    Object[] state = group.state();
    state[GroupLayout.ROWS] = (Long) state[GroupLayout.ROWS] + weight;
    for (AggregateCall call : layout.direct) {
      call.add(state, arguments, weight);
    }
    int added = layout.holders;
    for (int i = 0; i < projections.size(); i++) {
      Object value = layout.counted.get(i).get(0).seen(arguments);
      if (value != null && group.values().add(i, projections.get(i), value, weight)) {
        added++;
      }
    }
    return added;
  }
}
