package headrace.formats;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a row's one value as the whole record; NULL is a record without bytes. */
final class RawRecordWriter implements RecordWriter {
  private final FieldType type;
  private final RawLayout layout;
  private final byte[] lineEnd;

  RawRecordWriter(FormatSpec format) {
    type = format.fields.get(0).type();
    layout = RawLayout.of(format);
    String delimiter = format.text("line-delimiter");
    lineEnd = delimiter == null ? new byte[0] : delimiter.getBytes(layout.charset());
  }

  @Override
  public byte[] write(InternalRow row) {
    return row.isNullAt(0) ? null : ended(value(row));
  }

  private byte[] ended(byte[] value) {
    if (lineEnd.length == 0) {
      return value;
    }
    byte[] line = Arrays.copyOf(value, value.length + lineEnd.length);
    System.arraycopy(lineEnd, 0, line, value.length, lineEnd.length);
    return line;
  }

  private byte[] value(InternalRow row) {
    return switch (type.kind) {
      case "CHAR", "VARCHAR", "STRING" -> row.getUTF8String(0).toString().getBytes(layout.charset());
      case "BINARY", "VARBINARY", "BYTES" -> row.getBinary(0);
      default -> number(row);
    };
  }

  private byte[] number(InternalRow row) {
    ByteBuffer bytes = ByteBuffer.allocate(RawLayout.size(type)).order(layout.order());
    switch (type.kind) {
      case "BOOLEAN" -> bytes.put((byte) (row.getBoolean(0) ? 1 : 0));
      case "TINYINT" -> bytes.put(row.getByte(0));
      case "SMALLINT" -> bytes.putShort(row.getShort(0));
      case "INT" -> bytes.putInt(row.getInt(0));
      case "BIGINT" -> bytes.putLong(row.getLong(0));
      case "FLOAT" -> bytes.putFloat(row.getFloat(0));
      default -> bytes.putDouble(row.getDouble(0));
    }
    return bytes.array();
  }
}
