package headrace.formats;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads a whole record, or each of its lines, as one value; a record without bytes is a NULL rather than nothing. */
final class RawRecordReader implements RecordReader {
  private final Field field;
  private final RawLayout layout;
  private final Pattern lines;

  RawRecordReader(FormatSpec format) {
    field = format.fields.get(0);
    layout = RawLayout.of(format);
    String delimiter = format.text("line-delimiter");
    lines = delimiter == null ? null : Pattern.compile(Pattern.quote(delimiter));
  }

  @Override
  public List<Object[]> read(byte[] record, int width) {
    if (lines == null) {
      return List.<Object[]>of(row(record == null ? null : value(record), width));
    }
    return record == null ? List.of() : lines(new String(record, layout.charset()), width);
  }

  /** One row per line; what follows the last delimiter is a line unless it is empty. */
  private List<Object[]> lines(String text, int width) {
    List<Object[]> rows = new ArrayList<>();
    String[] parts = lines.split(text, -1);
    int count = parts[parts.length - 1].isEmpty() ? parts.length - 1 : parts.length;
    for (int i = 0; i < count; i++) {
      rows.add(row(value(parts[i].getBytes(layout.charset())), width));
    }
    return rows;
  }

  private Object[] row(Object value, int width) {
    Object[] cells = new Object[width];
    if (field.isRead()) {
      cells[field.cell()] = value;
    }
    return cells;
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
