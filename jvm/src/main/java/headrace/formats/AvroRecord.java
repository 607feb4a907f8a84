package headrace.formats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Reads a record into cells: its fields in the order they were written, by name, those nobody asked for stepped over.
 * Fields that the writer does not have are NULL, or the default that the table's schema gives them.
 */
final class AvroRecord {
  private final Field[] written;
  private final AvroValue[] readers;
  private final Field[] missing;
  private final AvroValue[] defaults;
  private final byte[][] defaultBytes;

  AvroRecord(AvroValues values, Schema schema, List<Field> fields, Schema expected) {
    List<Schema.Field> inRecord = schema.getFields();
    written = new Field[inRecord.size()];
    readers = new AvroValue[inRecord.size()];
    for (int i = 0; i < written.length; i++) {
      Schema.Field from = inRecord.get(i);
      Field to = named(fields, from.name());
      written[i] = to == null ? new Field(from.name(), null, Field.UNREAD) : to;
      readers[i] = to == null || !to.isRead()
          ? values.skip(from.schema())
          : values.of(from.schema(), to.type(), field(expected, from.name()));
    }
    missing = fields.stream()
        .filter(field -> field.isRead() && schema.getField(field.name()) == null)
        .toArray(Field[]::new);
    defaults = new AvroValue[missing.length];
    defaultBytes = new byte[missing.length][];
    for (int i = 0; i < missing.length; i++) {
      prepareDefault(values, i, expected);
    }
  }

  private void prepareDefault(AvroValues values, int i, Schema expected) {
    Field field = missing[i];
    Schema.Field declared = expected == null ? null : expected.getField(field.name());
    if (declared != null && declared.hasDefaultValue()) {
      defaults[i] = values.of(declared.schema(), field.type(), declared.schema());
      defaultBytes[i] = defaultOf(declared);
    } else if (!field.type().nullable) {
      defaults[i] = input -> {
        throw new FieldException("the writer's schema has no such field, and the column is NOT NULL");
      };
      defaultBytes[i] = new byte[0];
    }
  }

  private static byte[] defaultOf(Schema.Field field) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    try {
      Object value = GenericData.get().getDefaultValue(field);
      new GenericDatumWriter<Object>(field.schema()).write(value, encoder);
      encoder.flush();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return bytes.toByteArray();
  }

  GenericInternalRow row(AvroInput input, int width) {
    Object[] cells = new Object[width];
    read(input, cells);
    return new GenericInternalRow(cells);
  }

  void read(AvroInput input, Object[] cells) {
    for (int i = 0; i < written.length; i++) {
      Object value = AvroValues.named(readers[i], written[i].name(), input);
      if (written[i].isRead()) {
        cells[written[i].cell()] = value;
      }
    }
    for (int i = 0; i < missing.length; i++) {
      if (defaults[i] != null) {
        AvroInput given = new AvroBytes(defaultBytes[i], 0);
        cells[missing[i].cell()] = AvroValues.named(defaults[i], missing[i].name(), given);
      }
    }
  }

  private static Field named(List<Field> fields, String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst().orElse(null);
  }

  private static Schema field(Schema expected, String name) {
    Schema.Field field = expected == null ? null : expected.getField(name);
    return field == null ? null : field.schema();
  }
}
