package headrace.functions;

import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/** Maps that Spark's own functions refuse to make: one of their keys may be null. */
public final class Maps {
  private Maps() {}

  /** Keys and values by their positions. */
  public static MapData of(ArrayData keys, ArrayData values) {
    return new ArrayBasedMapData(keys, values);
  }
}
