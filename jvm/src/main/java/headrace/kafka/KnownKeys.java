package headrace.kafka;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.LongAccumulator;

/** Rows beside the topic's own keys, without those that are no keys of the table; these are counted. */
final class KnownKeys implements Iterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final LongAccumulator strange;
  private InternalRow ahead;

  KnownKeys(Iterator<InternalRow> rows, LongAccumulator strange) {
    this.rows = rows;
    this.strange = strange;
  }

  @Override
  public boolean hasNext() {
    while (ahead == null && rows.hasNext()) {
      InternalRow row = rows.next();
      if (row.isNullAt(Outgoing.SPELLING)) {
        strange.add(1L);
      } else {
        ahead = row;
      }
    }
    return ahead != null;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    InternalRow row = ahead;
    ahead = null;
    return row;
  }
}
