package headrace.kafka;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/** What a first batch found in its topic: keys that are none of the table, and keys that it deleted. */
record KeysFound(LongAccumulator strange, LongAccumulator deleted) implements Serializable {
  static KeysFound none(SparkContext context) {
    return new KeysFound(context.longAccumulator(), context.longAccumulator());
  }
}
