package headrace.operators;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;

/** Puts rows of two sides together, tests their condition, and nets what a batch emits for one key. */
final class JoinedRows {
  private final int leftWidth;
  private final int rightWidth;
  private final UnsafeProjection projection;
  private final Predicate<InternalRow> condition;
  private final JoinedRow joined = new JoinedRow();
  private final InternalRow noLeft;
  private final InternalRow noRight;
  private final Map<BytesKey, Long> net = new HashMap<>();

  JoinedRows(StructType left, StructType right, StructType output, RowCondition condition) {
    this.leftWidth = left.length();
    this.rightWidth = right.length();
    this.projection = UnsafeProjection.create(output);
    this.condition = condition == null ? null : condition.open();
    this.noLeft = new GenericInternalRow(leftWidth);
    this.noRight = new GenericInternalRow(rightWidth);
  }

  boolean hasCondition() {
    return condition != null;
  }

  boolean matches(BytesKey left, BytesKey right) {
    return condition == null || condition.test(pair(left, right));
  }

  private InternalRow pair(BytesKey left, BytesKey right) {
    InternalRow first = left == null ? noLeft : Packed.view(left.bytes, leftWidth);
    InternalRow second = right == null ? noRight : Packed.view(right.bytes, rightWidth);
    return joined.apply(first, second);
  }

  /** The pair of two rows; null stands for a side without a match. */
  void emitPair(BytesKey left, BytesKey right, long weight) {
    emit(new BytesKey(Packed.bytes(projection, pair(left, right))), weight);
  }

  /** A row of the left with whether it has a match. */
  void emitMarked(BytesKey left, boolean matched, long weight) {
    joined.apply(Packed.view(left.bytes, leftWidth), new GenericInternalRow(new Object[] {matched}));
    emit(new BytesKey(Packed.bytes(projection, joined)), weight);
  }

  void emit(BytesKey row, long weight) {
    net.merge(row, weight, (held, more) -> held + more == 0 ? null : held + more);
  }

  /** What has been emitted since the last time, removals first. */
  List<Row> take() {
    List<Row> out = new ArrayList<>(net.size());
    net.forEach((row, weight) -> {
      if (weight < 0) {
        out.add(RowFactory.create(row.bytes, weight));
      }
    });
    net.forEach((row, weight) -> {
      if (weight > 0) {
        out.add(RowFactory.create(row.bytes, weight));
      }
    });
    net.clear();
    return out;
  }
}
