package headrace.operators;

import headrace.operators.JoinSpec.Kind;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Joins two changing tables. Both sides' rows of a key are kept; a batch emits the difference between the join before and
 * after it, netted, so rows that change on both sides at once show no state in between. NULL keys match nothing, but where
 * the spec says that NULL equals NULL.
 */
final class Join extends StatefulProcessor<Row, Row, Row> {
  private static final long serialVersionUID = 1L;
  static final int KEY = 0;
  static final int ROW = 1;
  static final int IS_LEFT = 2;
  static final int WEIGHT = 3;

  private final JoinSpec spec;
  private final StructType keys;
  private final int[] strictKeys;
  private final StructType leftSchema;
  private final StructType rightSchema;
  private final StructType output;
  private final RowCondition condition;
  private transient GroupStates states;
  private transient Multiset left;
  private transient Multiset right;
  private transient JoinedRows joined;

  Join(JoinSpec spec, StructType keys, StructType left, StructType right, StructType output, RowCondition condition) {
    this.spec = spec;
    this.keys = keys;
    this.strictKeys = spec.strictKeys();
    this.leftSchema = left;
    this.rightSchema = right;
    this.output = output;
    this.condition = condition;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new GroupStates(getHandle(), keys);
    left = new Multiset(states.map("left", spec.leftTtlMillis()));
    right = new Multiset(states.map("right", spec.rightTtlMillis()));
    joined = new JoinedRows(leftSchema, rightSchema, output, condition);
  }

  @Override
  public Iterator<Row> handleInputRows(Row typedKey, Iterator<Row> rows, TimerValues timers) {
    left.begin();
    right.begin();
    byte[] key = null;
    while (rows.hasNext()) {
      Row row = rows.next();
      key = row.getAs(KEY);
      (row.getBoolean(IS_LEFT) ? left : right).change(row.getAs(ROW), row.getLong(WEIGHT));
    }
    if (matches(key)) {
      states.at(key);
      join();
      left.commit();
      right.commit();
    } else {
      keepAll();
    }
    return CollectionConverters.asScala(joined.take().iterator());
  }

  private boolean matches(byte[] packed) {
    InternalRow key = Packed.view(packed, keys.length());
    for (int place : strictKeys) {
      if (key.isNullAt(place)) {
        return false;
      }
    }
    return true;
  }

  private void join() {
    Kind kind = spec.kind();
    if (kind.pairs()) {
      emitPairs();
    }
    if (kind.keepsLeft() || !kind.pairs()) {
      keep(left, right, true);
    }
    if (kind.keepsRight()) {
      keep(right, left, false);
    }
  }

  /** New rows of the left meet the right as it will be; old rows of the left meet what changes on the right. */
  private void emitPairs() {
    left.changes().forEach((l, weight) -> right.after().forEach((r, count) -> emitPair(l, r, weight * count)));
    if (!right.changes().isEmpty()) {
      left.before().forEach((l, count) -> right.changes().forEach((r, weight) -> emitPair(l, r, count * weight)));
    }
  }

  private void emitPair(BytesKey l, BytesKey r, long weight) {
    if (joined.matches(l, r)) {
      joined.emitPair(l, r, weight);
    }
  }

  /** Rows of one side that are emitted for what they meet on the other: nothing, or for SEMI something. */
  private void keep(Multiset side, Multiset other, boolean isLeft) {
    if (!joined.hasCondition()) {
      keepByPresence(side, !other.before().isEmpty(), !other.after().isEmpty(), isLeft);
    } else if (other.changes().isEmpty()) {
      side.changes().forEach((row, weight) -> keepIf(row, matched(row, other.after(), isLeft), weight, isLeft));
    } else {
      side.before().forEach((row, count) -> keepIf(row, matched(row, other.before(), isLeft), -count, isLeft));
      side.after().forEach((row, count) -> keepIf(row, matched(row, other.after(), isLeft), count, isLeft));
    }
  }

  /** Without a condition all rows of a key share their fate, so most batches need only what changed. */
  private void keepByPresence(Multiset side, boolean matchedBefore, boolean matchedAfter, boolean isLeft) {
    if (matchedBefore == matchedAfter) {
      side.changes().forEach((row, weight) -> keepIf(row, matchedAfter, weight, isLeft));
    } else {
      side.before().forEach((row, count) -> keepIf(row, matchedBefore, -count, isLeft));
      side.after().forEach((row, count) -> keepIf(row, matchedAfter, count, isLeft));
    }
  }

  private boolean matched(BytesKey row, Map<BytesKey, Long> others, boolean isLeft) {
    for (Map.Entry<BytesKey, Long> other : others.entrySet()) {
      if (other.getValue() > 0 && (isLeft ? joined.matches(row, other.getKey()) : joined.matches(other.getKey(), row))) {
        return true;
      }
    }
    return false;
  }

  private void keepIf(BytesKey row, boolean matched, long weight, boolean isLeft) {
    switch (spec.kind()) {
      case SEMI -> emitIf(matched, row, weight);
      case ANTI -> emitIf(!matched, row, weight);
      case MARK -> joined.emitMarked(row, matched, weight);
      default -> {
        if (!matched) {
          joined.emitPair(isLeft ? row : null, isLeft ? null : row, weight);
        }
      }
    }
  }

  private void emitIf(boolean wanted, BytesKey row, long weight) {
    if (wanted) {
      joined.emit(row, weight);
    }
  }

  /** A NULL key matches nothing, so its rows need no state. */
  private void keepAll() {
    Kind kind = spec.kind();
    if (kind.keepsLeft() || kind == Kind.ANTI || kind == Kind.MARK) {
      left.changes().forEach((row, weight) -> keepIf(row, false, weight, true));
    }
    if (kind.keepsRight()) {
      right.changes().forEach((row, weight) -> keepIf(row, false, weight, false));
    }
  }
}
