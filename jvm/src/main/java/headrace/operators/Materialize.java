package headrace.operators;

import headrace.operators.MaterializeSpec.Conflict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows folded onto a sink's key that is not their own. To DEDUPLICATE, all rows of a key are kept in order of arrival, the
 * newest is what the sink shows, and when it goes the one before it comes back. Otherwise one row is kept, in its newest
 * version: others that come while it is there do NOTHING, or are an ERROR.
 */
final class Materialize extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;
  static final int KEY = 0;
  static final int ROW = 1;
  static final int WEIGHT = 2;
  static final int PLACE = 3;

  /** A row that comes in a batch, and where it stood there. */
  private record Added(byte[] row, long place) {}

  private final MaterializeSpec spec;
  private final StructType keys;
  private final StructType rowSchema;
  private transient GroupStates states;
  private transient GroupValue rows;
  private transient RowIdentity identity;

  Materialize(MaterializeSpec spec, StructType keys, StructType rowSchema) {
    this.spec = spec;
    this.keys = keys;
    this.rowSchema = rowSchema;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new GroupStates(getHandle(), keys);
    rows = states.value("rows", spec.ttlMillis());
    identity = new RowIdentity(rowSchema, spec.ownKey());
  }

  @Override
  public Iterator<Row> handleInputRows(Row key, Iterator<Row> input, TimerValues timers) {
    Map<BytesKey, Long> changes = new HashMap<>();
    Map<BytesKey, List<Long>> places = new HashMap<>();
    while (input.hasNext()) {
      Row change = input.next();
      states.at(change.getAs(KEY));
      BytesKey row = new BytesKey(change.getAs(ROW));
      changes.merge(row, change.getLong(WEIGHT), Long::sum);
      if (change.getLong(WEIGHT) > 0) {
        places.computeIfAbsent(row, any -> new ArrayList<>()).add(change.getLong(PLACE));
      }
    }
    List<byte[]> held = ByteLists.read(rows.get());
    byte[] before = newest(held);
    remove(held, changes);
    add(key, before, held, added(changes, places));
    store(held);
    return CollectionConverters.asScala(Replacement.of(before, newest(held), spec.retract()).iterator());
  }

  private void store(List<byte[]> held) {
    if (held.isEmpty()) {
      rows.clear();
    } else {
      rows.update(ByteLists.write(held));
    }
  }

  private static void remove(List<byte[]> held, Map<BytesKey, Long> changes) {
    changes.forEach((row, weight) -> {
      for (long copy = weight; copy < 0; copy++) {
        removeNewest(held, row.bytes);
      }
    });
  }

  private static void removeNewest(List<byte[]> held, byte[] row) {
    for (int i = held.size() - 1; i >= 0; i--) {
      if (Arrays.equals(held.get(i), row)) {
        held.remove(i);
        return;
      }
    }
  }

  /** In the order of their source; where there is none, by their bytes, which is at least always the same one. */
  private List<byte[]> added(Map<BytesKey, Long> changes, Map<BytesKey, List<Long>> places) {
    List<Added> found = new ArrayList<>();
    changes.forEach((row, weight) -> {
      for (int copy = 1; copy <= weight; copy++) {
        found.add(new Added(row.bytes, spec.inOrder() ? place(places.get(row), copy) : 0));
      }
    });
    found.sort(Comparator.comparingLong(Added::place).thenComparing(Added::row, Arrays::compareUnsigned));
    return found.stream().map(Added::row).toList();
  }

  /** Copies that went within the batch were the first ones; a change may be of several copies. */
  private static long place(List<Long> places, int fromLast) {
    return places.get(Math.max(places.size() - fromLast, 0));
  }

  private void add(Row key, byte[] before, List<byte[]> held, List<byte[]> added) {
    if (spec.conflict() == Conflict.DEDUPLICATE) {
      held.addAll(added);
      if (spec.appendOnly() && held.size() > 1) {
        held.subList(0, held.size() - 1).clear();
      }
    } else if (!added.isEmpty()) {
      BytesKey first = first(before, held, added);
      for (byte[] row : added) {
        if (identity.of(row).equals(first)) {
          held.add(row);
        } else if (spec.conflict() == Conflict.ERROR) {
          throw conflict(key);
        }
      }
    }
  }

  /** Whose versions are kept: the row that is there, or was until this batch and comes back in it, or else the first. */
  private BytesKey first(byte[] before, List<byte[]> held, List<byte[]> added) {
    if (!held.isEmpty()) {
      return identity.of(held.get(0));
    }
    BytesKey last = before == null ? null : identity.of(before);
    return added.stream().map(identity::of).filter(one -> one.equals(last)).findFirst().orElseGet(() -> identity.of(added.get(0)));
  }

  /** Read back on the driver, where it becomes an error with a cure. */
  private IllegalStateException conflict(Row key) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < spec.keys().size(); i++) {
      cells.add(spec.keys().get(i) + "=" + key.get(i));
    }
    String shown = String.join(", ", cells).replaceAll("\\s+", " ");
    return new IllegalStateException("PRIMARY_KEY_CONFLICT table=" + spec.table() + " key=(" + shown + ")");
  }

  private static byte[] newest(List<byte[]> held) {
    return held.isEmpty() ? null : held.get(held.size() - 1);
  }
}
