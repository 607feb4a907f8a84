package headrace.operators;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Before the shuffle: a task adds up the rows of each group it meets, so that what travels grows with the number of
 * groups and distinct values, not with the number of rows. In: (key, arguments, weight); out: (key, slots, values), and
 * the place of the portion among all where a call needs the order of arrival; or split into buckets, see BucketBlocks.
 */
final class PartialAggregate implements MapPartitionsFunction<Row, Row> {
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
  public Iterator<Row> call(Iterator<Row> rows) {
    List<UnsafeProjection> projections = new ArrayList<>();
    layout.counted.forEach(calls -> projections.add(ValueChanges.projection(calls.get(0).valueType())));
    long task = (long) TaskContext.getPartitionId() << Integer.SIZE;
    return new Drain<Row, Row>(rows) {
      private int portions;

      @Override
      Iterator<Row> fill(Iterator<Row> input) {
        return partials(input, projections, task + portions++);
      }
    };
  }

  private Iterator<Row> partials(Iterator<Row> input, List<UnsafeProjection> projections, long place) {
    Map<BytesKey, PartialGroup> groups = new HashMap<>();
    UnsafeRow arguments = new UnsafeRow(layout.argumentWidth);
    int held = 0;
    while (input.hasNext() && held < MAX_ENTRIES) {
      Row row = input.next();
      byte[] packed = row.getAs(1);
      arguments.pointTo(packed, packed.length);
      BytesKey key = new BytesKey(row.getAs(0));
      PartialGroup group = groups.get(key);
      if (group == null) {
        group = new PartialGroup(layout.start(), new ValueChanges(layout.counted.size()));
        groups.put(key, group);
        held++;
      }
      held += add(group, arguments, row.getLong(2), projections);
    }
    return buckets == 0 ? byGroup(groups, place) : new BucketBlocks(layout, buckets).rows(groups);
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
  private int add(PartialGroup group, UnsafeRow arguments, long weight, List<UnsafeProjection> projections) {
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
