package headrace.formats;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Writes the value at a position of a row or array, which is not null, as JSON. */
@FunctionalInterface
interface JsonCell {
  void write(JsonGenerator generator, SpecializedGetters source, int position) throws IOException;
}
