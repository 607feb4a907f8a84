package headrace.formats;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/**
 * Reads Avro as a schema registry's clients write it: a zero, the id of the writer's schema in four bytes, then binary
 * Avro. The readers for a schema are made when a record with its id is first met.
 */
final class RegistryRecordReader implements RecordReader {
  static final int HEADER_BYTES = 5;

  private final SchemaRegistry registry;
  private final List<Field> fields;
  private final Schema expected;
  private final Map<Integer, AvroRecord> byId = new ConcurrentHashMap<>();

  RegistryRecordReader(FormatSpec format) {
    registry = SchemaRegistry.of(format.node("registry"));
    fields = format.fields;
    expected = new Schema.Parser().parse(format.text("schema"));
  }

  @Override
  public List<Object[]> read(byte[] record, int width) {
    if (record == null) {
      return List.of();
    }
    int id = schemaId(record);
    AvroInput input = new AvroBytes(record, HEADER_BYTES);
    Object[] cells = new Object[width];
    byId.computeIfAbsent(id, this::resolved).read(input, cells);
    return List.<Object[]>of(cells);
  }

  static int schemaId(byte[] record) {
    if (record.length < HEADER_BYTES) {
      throw new FieldException(record.length + " bytes are too few for a zero and a schema's id");
    }
    if (record[0] != 0) {
      throw new FieldException("the record begins with byte " + record[0] + ", not with 0 and a schema's id");
    }
    return ByteBuffer.wrap(record).getInt(1);
  }

  private AvroRecord resolved(int id) {
    Schema written = registry.byId(id);
    if (written.getType() != Schema.Type.RECORD) {
      throw new FieldException("schema " + id + " is a " + written.getType().getName() + ", not a record");
    }
    Schema wanted = AvroValues.within(expected, Schema.Type.RECORD);
    // The table's schema may know a field by another, older name.
    return new AvroRecord(new AvroValues(), Schema.applyAliases(written, wanted), fields, wanted);
  }
}
