package headrace.operators;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Top-N: emits the difference of the wanted ranks before and after a batch. All rows of a partition are kept, and beside
 * them the top itself: rows that arrive are merged into it, and only when a row leaves it are the others looked through.
 */
final class Rank extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;
  static final int KEY = 0;
  static final int ROW = 1;
  static final int WEIGHT = 2;

  private final RankSpec spec;
  private final RowOrder order;
  private final StructType keys;
  private final StructType rows;
  private final StructType output;
  private transient GroupStates states;
  private transient Multiset partition;
  private transient GroupValue top;
  private transient UnsafeProjection ranked;

  Rank(RankSpec spec, StructType keys, StructType rows, StructType output) {
    this.spec = spec;
    this.order = new RowOrder(spec, rows);
    this.keys = keys;
    this.rows = rows;
    this.output = output;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new GroupStates(getHandle(), keys);
    partition = new Multiset(states.map("rows", spec.ttlMillis()));
    top = states.value("top", spec.ttlMillis());
    ranked = UnsafeProjection.create(output);
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> input, TimerValues timers) {
    partition.begin();
    while (input.hasNext()) {
      Row row = input.next();
      states.at(row.getAs(KEY));
      partition.change(row.getAs(ROW), row.getLong(WEIGHT));
    }
    List<BytesKey> before = load();
    List<BytesKey> after = newTop(before);
    partition.commit();
    store(before, after);
    return CollectionConverters.asScala(difference(before, after).iterator());
  }

  private List<BytesKey> load() {
    return ByteLists.read(top.get()).stream().map(BytesKey::new).toList();
  }

  /** With a time to live the top is written with every change of its partition, so that it does not end before the newest row. */
  private void store(List<BytesKey> before, List<BytesKey> after) {
    if (spec.ttlMillis() > 0 || !before.equals(after)) {
      if (after.isEmpty()) {
        top.clear();
      } else {
        top.update(ByteLists.write(after.stream().map(row -> row.bytes).toList()));
      }
    }
  }

  private List<BytesKey> newTop(List<BytesKey> before) {
    Set<BytesKey> held = new HashSet<>(before);
    boolean loses = partition.changes().entrySet().stream().anyMatch(e -> e.getValue() < 0 && held.contains(e.getKey()));
    if (loses) {
      return first(partition.after());
    }
    if (spec.order().isEmpty()) {
      return filled(before);
    }
    Map<BytesKey, Long> candidates = new HashMap<>();
    before.forEach(row -> candidates.merge(row, 1L, Long::sum));
    partition.changes().forEach((row, weight) -> {
      if (weight > 0) {
        candidates.merge(row, weight, Long::sum);
      }
    });
    return first(candidates);
  }

  /** In no order: those that are there stay, and others come behind them while there is room. */
  private List<BytesKey> filled(List<BytesKey> before) {
    List<BytesKey> result = new ArrayList<>(before);
    for (BytesKey row : first(partition.changes())) {
      if (result.size() < spec.end()) {
        result.add(row);
      }
    }
    return result;
  }

  /** The first rows up to the last wanted rank, copies of a row one after the other. */
  private List<BytesKey> first(Map<BytesKey, Long> candidates) {
    TreeMap<BytesKey, Long> sorted = new TreeMap<>(order);
    long held = 0;
    for (Map.Entry<BytesKey, Long> candidate : candidates.entrySet()) {
      if (candidate.getValue() > 0) {
        sorted.put(candidate.getKey(), candidate.getValue());
        held += candidate.getValue();
        while (held - sorted.lastEntry().getValue() >= spec.end()) {
          held -= sorted.pollLastEntry().getValue();
        }
      }
    }
    List<BytesKey> result = new ArrayList<>();
    sorted.forEach((row, count) -> {
      for (long copy = 0; copy < count && result.size() < spec.end(); copy++) {
        result.add(row);
      }
    });
    return result;
  }

  private List<Row> difference(List<BytesKey> before, List<BytesKey> after) {
    Map<BytesKey, Long> net = new HashMap<>();
    emitted(before).forEach(row -> net.merge(row, -1L, Long::sum));
    emitted(after).forEach(row -> net.merge(row, 1L, Long::sum));
    List<Row> out = new ArrayList<>();
    net.forEach((row, weight) -> addIf(weight < 0, out, row, weight));
    net.forEach((row, weight) -> addIf(weight > 0, out, row, weight));
    return out;
  }

  private static void addIf(boolean wanted, List<Row> out, BytesKey row, long weight) {
    if (wanted) {
      out.add(RowFactory.create(row.bytes, weight));
    }
  }

  /** The rows of the wanted ranks, with the rank where it is shown. */
  private List<BytesKey> emitted(List<BytesKey> ordered) {
    List<BytesKey> result = new ArrayList<>();
    for (int i = (int) spec.start() - 1; i < ordered.size(); i++) {
      result.add(spec.rank() == null ? ordered.get(i) : withRank(ordered.get(i), i + 1L));
    }
    return result;
  }

  private BytesKey withRank(BytesKey row, long rank) {
    GenericInternalRow number = new GenericInternalRow(new Object[] {rank});
    return new BytesKey(Packed.bytes(ranked, new JoinedRow(Packed.view(row.bytes, rows.length()), number)));
  }
}
