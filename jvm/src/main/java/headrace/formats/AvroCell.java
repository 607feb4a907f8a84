package headrace.formats;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Writes the value at a position of a row or array as Avro. */
@FunctionalInterface
interface AvroCell {
  void write(Encoder encoder, SpecializedGetters source, int position) throws IOException;
}
