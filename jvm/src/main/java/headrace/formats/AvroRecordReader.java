package headrace.formats;

import java.util.List;

/** Reads plain binary Avro: the fields one after another, those nobody asked for decoded and dropped. */
final class AvroRecordReader implements RecordReader {
  private final Field[] fields;
  private final AvroValue[] readers;

  AvroRecordReader(FormatSpec format) {
    fields = format.fields.toArray(new Field[0]);
    readers = format.fields.stream().map(field -> AvroValues.of(field.type())).toArray(AvroValue[]::new);
  }

  @Override
  public List<Object[]> read(byte[] record, int width) {
    if (record == null) {
      return List.of();
    }
    AvroInput input = new AvroInput(record);
    Object[] cells = new Object[width];
    for (int i = 0; i < fields.length; i++) {
      Object value = AvroValues.named(readers[i], fields[i].name(), input);
      if (fields[i].isRead()) {
        cells[fields[i].cell()] = value;
      }
    }
    return List.<Object[]>of(cells);
  }
}
