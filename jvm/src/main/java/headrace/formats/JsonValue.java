package headrace.formats;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads the value at the parser's current token, which is not null, as one of Spark's internal values. */
@FunctionalInterface
interface JsonValue {
  Object read(JsonParser parser) throws IOException;
}
