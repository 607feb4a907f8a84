package headrace.formats;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Reads a protobuf message as a row; fields that are no columns are passed over. */
final class ProtobufRecordReader implements RecordReader {
  private final Descriptor message;
  private final Field[] fields;
  private final List<Function<Message, Object>> readers;

  ProtobufRecordReader(FormatSpec format) {
    message = ProtobufDescriptors.of(format);
    ProtobufValues values = new ProtobufValues(format.flag("read-default-values"));
    fields = format.fields.toArray(new Field[0]);
    readers = format.fields.stream().map(f -> values.field(message, f.name(), f.type())).toList();
  }

  @Override
  public List<Object[]> read(byte[] record, int width) throws IOException {
    if (record == null) {
      return List.of();
    }
    Message read = DynamicMessage.parseFrom(message, record);
    Object[] cells = new Object[width];
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].isRead()) {
        cells[fields[i].cell()] = readers.get(i).apply(read);
      }
    }
    return List.<Object[]>of(cells);
  }
}
