package headrace.formats;

import java.io.IOException;

/** Reads one Avro value as one of Spark's internal values. */
@FunctionalInterface
interface AvroValue {
  Object read(AvroInput input) throws IOException;
}
