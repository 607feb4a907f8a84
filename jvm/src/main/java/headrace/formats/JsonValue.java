package headrace.formats;

import java.io.IOException;

/** Reads the value at a cursor, which is not null, as one of Spark's internal values, and passes it. */
@FunctionalInterface
interface JsonValue {
  Object read(JsonCursor cursor) throws IOException;
}
