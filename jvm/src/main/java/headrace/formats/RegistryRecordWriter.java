package headrace.formats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes binary Avro behind a zero and the id of its schema, which is registered before the first record. Of a message
 * about changes it writes a row alone; what the schema has around the row is put there later.
 */
final class RegistryRecordWriter implements RecordWriter {
  private final SchemaRegistry registry;
  private final String subject;
  private final Schema schema;
  private final AvroCell fields;
  private volatile byte[] header;

  private RegistryRecordWriter(FormatSpec format, Schema schema, AvroCell fields) {
    registry = SchemaRegistry.of(format.node("registry"));
    subject = format.text("subject");
    this.schema = schema;
    this.fields = fields;
  }

  static RecordWriter ofRows(FormatSpec format) {
    Schema schema = new Schema.Parser().parse(format.text("schema"));
    AvroCell cells = cells(format, AvroValues.within(schema, Schema.Type.RECORD));
    return new RegistryRecordWriter(
        format, schema, schema.getType() == Schema.Type.UNION ? inUnion(cells, schema) : cells);
  }

  static RecordWriter ofImages(FormatSpec format) {
    Schema schema = new Schema.Parser().parse(format.text("schema"));
    Schema after = AvroValues.within(schema, Schema.Type.RECORD).getField("after").schema();
    return new RegistryRecordWriter(format, schema, cells(format, AvroValues.within(after, Schema.Type.RECORD)));
  }

  private static AvroCell cells(FormatSpec format, Schema record) {
    return AvroCells.fields(
        format.fields.stream().map(Field::name).toList(),
        format.fields.stream().map(Field::type).toList(),
        record);
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
    bytes.write(header());
    Encoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    fields.write(encoder, row, 0);
    encoder.flush();
    return bytes.toByteArray();
  }

  /** Asked for once: the text of a schema is long. */
  private byte[] header() {
    byte[] known = header;
    if (known == null) {
      int id = registry.register(subject, schema);
      known = ByteBuffer.allocate(RegistryRecordReader.HEADER_BYTES).put((byte) 0).putInt(id).array();
      header = known;
    }
    return known;
  }
}
