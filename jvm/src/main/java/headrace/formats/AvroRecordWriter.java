package headrace.formats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a row as plain Avro, binary or JSON: no header, no schema. */
final class AvroRecordWriter implements RecordWriter {
  private final Schema schema;
  private final boolean json;
  private final AvroCell fields;

  AvroRecordWriter(FormatSpec format) {
    schema = new Schema.Parser().parse(format.text("schema"));
    json = "json".equals(format.text("encoding"));
    fields = AvroCells.fields(
        format.fields.stream().map(Field::name).toList(),
        format.fields.stream().map(Field::type).toList(),
        schema);
  }

  @Override
  public byte[] write(InternalRow row) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Encoder encoder = json
        ? EncoderFactory.get().jsonEncoder(schema, bytes)
        : EncoderFactory.get().directBinaryEncoder(bytes, null);
    fields.write(encoder, row, 0);
    encoder.flush();
    return bytes.toByteArray();
  }
}
