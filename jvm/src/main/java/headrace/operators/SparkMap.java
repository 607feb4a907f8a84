package headrace.operators;

import java.util.function.BiConsumer;
import org.apache.spark.sql.streaming.MapState;
import scala.Tuple2;
import scala.collection.Iterator;

/** Values that Spark keeps, and forgets in time. */
record SparkMap(MapState<byte[], byte[]> state) implements GroupMap {
  @Override
  public byte[] get(byte[] key) {
    return state.getValue(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    state.updateValue(key, value);
  }

  @Override
  public void remove(byte[] key) {
    state.removeKey(key);
  }

  @Override
  public void forEach(BiConsumer<byte[], byte[]> use) {
    Iterator<Tuple2<byte[], byte[]>> entries = state.iterator();
    while (entries.hasNext()) {
      Tuple2<byte[], byte[]> entry = entries.next();
      use.accept(entry._1(), entry._2());
    }
  }

  @Override
  public void clear() {
    state.clear();
  }
}
