package headrace.formats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a row as plain binary Avro: no header, no schema. */
final class AvroRecordWriter implements RecordWriter {
  private final AvroCell fields;

  AvroRecordWriter(FormatSpec format) {
    fields = AvroCells.fields(
        format.fields.stream().map(Field::name).toList(), format.fields.stream().map(Field::type).toList());
  }

  @Override
  public byte[] write(InternalRow row) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Encoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    fields.write(encoder, row, 0);
    encoder.flush();
    return bytes.toByteArray();
  }
}
