package headrace.formats;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads a whole record as one value; a record without bytes is a NULL rather than nothing. */
final class RawRecordReader implements RecordReader {
  private final Field field;
  private final RawLayout layout;

  RawRecordReader(FormatSpec format) {
    field = format.fields.get(0);
    layout = RawLayout.of(format);
  }

  @Override
  public List<Object[]> read(byte[] record, int width) {
    Object[] cells = new Object[width];
    Object value = record == null ? null : value(record);
    if (field.isRead()) {
      cells[field.cell()] = value;
    }
    return List.<Object[]>of(cells);
  }

  private Object value(byte[] record) {
    return switch (field.type().kind) {
      case "CHAR", "VARCHAR", "STRING" -> text(record, layout.charset());
      case "BINARY", "VARBINARY", "BYTES" -> record;
      default -> number(record);
    };
  }

  private static UTF8String text(byte[] record, Charset charset) {
    return UTF8String.fromString(new String(record, charset));
  }

  private Object number(byte[] record) {
    int size = RawLayout.size(field.type());
    if (record.length != size) {
      String reason = field.type() + " has " + size + " bytes, the record " + record.length;
      throw new FieldException(field.name(), reason, null);
    }
    ByteBuffer bytes = ByteBuffer.wrap(record).order(layout.order());
    return switch (field.type().kind) {
      case "BOOLEAN" -> bytes.get() != 0;
      case "TINYINT" -> bytes.get();
      case "SMALLINT" -> bytes.getShort();
      case "INT" -> bytes.getInt();
      case "BIGINT" -> bytes.getLong();
      case "FLOAT" -> bytes.getFloat();
      default -> bytes.getDouble();
    };
  }
}
