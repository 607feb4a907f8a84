package headrace.formats;

import java.io.IOException;

/** One record in one of Avro's encodings, read value by value in the order of its writer's schema. */
interface AvroInput {
  void nothing() throws IOException;

  boolean bool() throws IOException;

  int integer() throws IOException;

  long number() throws IOException;

  float single() throws IOException;

  double dual() throws IOException;

  byte[] bytes() throws IOException;

  /** A string, as the bytes of its UTF-8. */
  byte[] text() throws IOException;

  byte[] fixed(int size) throws IOException;

  /** The position of an enum's symbol. */
  int symbol() throws IOException;

  /** The branch of a union. */
  int branch() throws IOException;

  /** The number of items in the first block of an array; 0 ends it. */
  long arrayStart() throws IOException;

  long arrayNext() throws IOException;

  long mapStart() throws IOException;

  long mapNext() throws IOException;
}
