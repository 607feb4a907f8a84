package headrace.connect.jdbc;

import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.unsafe.types.UTF8String;

/** A table's rows behind the topic they go to, by which tables of one plan are told apart. */
final class TopicRows implements Portion {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final Portion portion;

  TopicRows(String topic, Portion portion) {
    this.topic = topic;
    this.portion = portion;
  }

  @Override
  public Iterator<InternalRow> rows() {
    InternalRow label = new GenericInternalRow(new Object[] {UTF8String.fromString(topic)});
    Iterator<InternalRow> found = portion.rows();
    JoinedRow labelled = new JoinedRow();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return found.hasNext();
      }

      @Override
      public InternalRow next() {
        return labelled.apply(label, found.next());
      }
    };
  }
}
