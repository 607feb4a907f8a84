package headrace.operators;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/** Between buckets and groups: a task adds up what its buckets say of each group. In and out: (key, slots). */
final class MergePartials implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;

  /** Groups held at once, of 300 bytes at most. */
  private static final int MAX_GROUPS = 300_000;

  private final GroupLayout layout;

  MergePartials(GroupLayout layout) {
    this.layout = layout;
  }

  @Override
  public Iterator<Row> call(Iterator<Row> partials) {
    return new Drain<Row, Row>(partials) {
      @Override
      Iterator<Row> fill(Iterator<Row> input) {
        Map<BytesKey, byte[]> groups = new HashMap<>();
        while (input.hasNext() && groups.size() < MAX_GROUPS) {
          Row row = input.next();
          groups.merge(new BytesKey(row.getAs(0)), row.getAs(1), MergePartials.this::merged);
        }
        return groups.entrySet().stream()
            .map(entry -> RowFactory.create(entry.getKey().bytes, entry.getValue()))
            .iterator();
      }
    };
  }

  private byte[] merged(byte[] held, byte[] more) {
    Object[] state = layout.load(held);
    layout.mergeAll(state, layout.load(more));
    return layout.store(state);
  }
}
