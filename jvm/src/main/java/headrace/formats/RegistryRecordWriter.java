package headrace.formats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes binary Avro behind a zero and the id of its schema, which is registered before the first record. */
final class RegistryRecordWriter implements RecordWriter {
  private final SchemaRegistry registry;
  private final String subject;
  private final Schema schema;
  private final AvroCell fields;

  RegistryRecordWriter(FormatSpec format) {
    registry = SchemaRegistry.of(format.node("registry"));
    subject = format.text("subject");
    schema = new Schema.Parser().parse(format.text("schema"));
    AvroCell cells = AvroCells.fields(
        format.fields.stream().map(Field::name).toList(),
        format.fields.stream().map(Field::type).toList(),
        AvroValues.within(schema, Schema.Type.RECORD));
    fields = schema.getType() == Schema.Type.UNION ? inUnion(cells, schema) : cells;
  }

  private static AvroCell inUnion(AvroCell record, Schema union) {
    int branch = union.getIndexNamed("null") == 0 ? 1 : 0;
    return (avro, source, i) -> {
      avro.writeIndex(branch);
      record.write(avro, source, i);
    };
  }

  @Override
  public byte[] write(InternalRow row) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(0);
    bytes.write(ByteBuffer.allocate(Integer.BYTES).putInt(registry.register(subject, schema)).array());
    Encoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    fields.write(encoder, row, 0);
    encoder.flush();
    return bytes.toByteArray();
  }
}
