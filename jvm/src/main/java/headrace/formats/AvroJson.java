package headrace.formats;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.JsonDecoder;
import org.apache.avro.util.Utf8;

/** Avro's JSON encoding of one record. */
final class AvroJson implements AvroInput {
  private final JsonDecoder json;

  AvroJson(Schema schema, byte[] record) throws IOException {
    json = DecoderFactory.get().jsonDecoder(schema, new ByteArrayInputStream(record));
  }

  @Override
  public void nothing() throws IOException {
    json.readNull();
  }

  @Override
  public boolean bool() throws IOException {
    return json.readBoolean();
  }

  @Override
  public int integer() throws IOException {
    return json.readInt();
  }

  @Override
  public long number() throws IOException {
    return json.readLong();
  }

  @Override
  public float single() throws IOException {
    return json.readFloat();
  }

  @Override
  public double dual() throws IOException {
    return json.readDouble();
  }

  @Override
  public byte[] bytes() throws IOException {
    ByteBuffer read = json.readBytes(null);
    byte[] bytes = new byte[read.remaining()];
    read.get(bytes);
    return bytes;
  }

  @Override
  public byte[] text() throws IOException {
    Utf8 text = json.readString(null);
    return Arrays.copyOf(text.getBytes(), text.getByteLength());
  }

  @Override
  public byte[] fixed(int size) throws IOException {
    byte[] bytes = new byte[size];
    json.readFixed(bytes, 0, size);
    return bytes;
  }

  @Override
  public int symbol() throws IOException {
    return json.readEnum();
  }

  @Override
  public int branch() throws IOException {
    return json.readIndex();
  }

  @Override
  public long arrayStart() throws IOException {
    return json.readArrayStart();
  }

  @Override
  public long arrayNext() throws IOException {
    return json.arrayNext();
  }

  @Override
  public long mapStart() throws IOException {
    return json.readMapStart();
  }

  @Override
  public long mapNext() throws IOException {
    return json.mapNext();
  }
}
