package headrace.formats;

import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;

/** Reads plain Avro, binary or JSON, written with the schema of the table's columns. */
final class AvroRecordReader implements RecordReader {
  private final Schema schema;
  private final boolean json;
  private final AvroRecord fields;

  AvroRecordReader(FormatSpec format) {
    schema = new Schema.Parser().parse(format.text("schema"));
    json = "json".equals(format.text("encoding"));
    fields = new AvroRecord(new AvroValues(), schema, format.fields, schema);
  }

  @Override
  public List<Object[]> read(byte[] record, int width) throws IOException {
    if (record == null) {
      return List.of();
    }
    Object[] cells = new Object[width];
    fields.read(json ? new AvroJson(schema, record) : new AvroBytes(record, 0), cells);
    return List.<Object[]>of(cells);
  }
}
