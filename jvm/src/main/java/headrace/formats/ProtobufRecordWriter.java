package headrace.formats;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a row as a protobuf message. */
final class ProtobufRecordWriter implements RecordWriter {
  private final Descriptor message;
  private final List<ProtobufCells.Put> fields;

  ProtobufRecordWriter(FormatSpec format) {
    message = ProtobufDescriptors.of(format);
    fields = new ProtobufCells(format.text("write-null-string-literal")).fields(
        message, format.fields.stream().map(Field::name).toList(), format.fields.stream().map(Field::type).toList());
  }

  @Override
  public byte[] write(InternalRow row) {
    return ProtobufCells.built(message, fields, row).toByteArray();
  }
}
