package headrace.operators;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;

/**
 * Before the shuffle: of all records of a key that a task read only the newest can matter. Input and output are
 * (key, row, partition, offset, weight).
 */
final class NewestPerKey implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;
  static final int KEY = 0;
  static final int ROW = 1;
  static final int PARTITION = 2;
  static final int OFFSET = 3;
  static final int WEIGHT = 4;

  /** Keys held at once; about 300 bytes each, so 100 MB a task at the most. Past it, what is held goes out. */
  private static final int MAX_KEYS = 300_000;

  @Override
  public Iterator<Row> call(Iterator<Row> records) {
    return new Drain<Row, Row>(records) {
      @Override
      Iterator<Row> fill(Iterator<Row> input) {
        Map<BytesKey, Row> newest = new HashMap<>();
        while (input.hasNext() && newest.size() < MAX_KEYS) {
          Row record = input.next();
          newest.merge(new BytesKey(record.getAs(KEY)), record, NewestPerKey::newer);
        }
        return newest.values().iterator();
      }
    };
  }

  /** At the same place (elements of one record) the later one wins, as rows of a task keep their order. */
  static Row newer(Row held, Row next) {
    int byPartition = Integer.compare(next.getInt(PARTITION), held.getInt(PARTITION));
    boolean later = byPartition > 0 || (byPartition == 0 && next.getLong(OFFSET) >= held.getLong(OFFSET));
    return later ? next : held;
  }
}
