package headrace.operators;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How often each value occurs in each group, for one bucket of the values. What goes on to the groups is the slots that
 * the task before filled, with the values that appeared added and those that vanished taken away.
 */
final class DistinctValues extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;
  private static final int KEY = 0;
  private static final int BLOCKS = 1;
  private static final byte[] YES = {1};

  private final AggregateSpec spec;
  private final GroupLayout layout;
  private transient List<CountedValues> counted;
  private transient GroupStates states;
  private transient GroupValue known;

  DistinctValues(AggregateSpec spec, GroupLayout layout) {
    this.spec = spec;
    this.layout = layout;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new GroupStates(getHandle(), Buckets.KEY);
    known = states.value("known", spec.ttlMillis());
    counted = new ArrayList<>();
    for (int i = 0; i < layout.counted.size(); i++) {
      counted.add(new CountedValues(i, layout.counted.get(i), states, spec.ttlMillis()));
    }
  }

  @Override
  public Iterator<Row> handleInputRows(Row bucket, Iterator<Row> rows, TimerValues timers) {
    Map<BytesKey, PartialGroup> groups = new HashMap<>();
    while (rows.hasNext()) {
      Row row = rows.next();
      states.at(row.getAs(KEY));
      BucketBlocks.read(row.getAs(BLOCKS), (key, slots, changes) -> {
        PartialGroup group = groups.computeIfAbsent(new BytesKey(key), any -> start());
        if (slots.length > 0) {
          layout.merge(group.state(), layout.load(slots));
        }
        group.values().read(changes);
      });
    }
    return CollectionConverters.asScala(apply(groups).iterator());
  }

  private PartialGroup start() {
    return new PartialGroup(layout.start(), new ValueChanges(counted.size()));
  }

  private List<Row> apply(Map<BytesKey, PartialGroup> groups) {
    // In a bucket that is met for the first time no value need be looked up.
    boolean isNew = known.get() == null;
    List<Row> out = new ArrayList<>(groups.size());
    groups.forEach((key, group) -> {
      for (int i = 0; i < counted.size(); i++) {
        counted.get(i).applyWithin(key.bytes, group.state(), i, group.values(), isNew);
      }
      out.add(RowFactory.create(key.bytes, layout.store(group.state())));
    });
    // Written every time where state has a time to live, so that it outlives the values.
    if (isNew || spec.ttlMillis() > 0) {
      known.update(YES);
    }
    return out;
  }
}
