package headrace.formats;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Reads the first line of a CSV record as a row; one without a line cannot be read. */
final class CsvRecordReader implements RecordReader {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final CsvOptions options;
  private final boolean padsMissing;
  private final boolean dropsSurplus;
  private final boolean allowsTrailingDelimiter;
  private final boolean emptyAsNull;
  private final Field[] fields;
  private final Function<String, Object>[] readers;

  @SuppressWarnings({"unchecked", "rawtypes"})
  CsvRecordReader(FormatSpec format) {
    options = CsvOptions.of(format);
    padsMissing = format.ignoresParseErrors() && !format.flag("fail-on-missing-columns");
    dropsSurplus = format.flag("ignore-trailing-unmappable");
    allowsTrailingDelimiter = format.flag("allow-trailing-comma");
    emptyAsNull = format.flag("empty-string-as-null");
    fields = format.fields.toArray(new Field[0]);
    readers = new Function[fields.length];
    CsvValues values = new CsvValues(format, options);
    for (int i = 0; i < fields.length; i++) {
      readers[i] = values.of(fields[i].type());
    }
  }

  @Override
  public List<Object[]> read(byte[] record, int width) {
    if (record == null) {
      return List.of();
    }
    List<String> texts = CsvTokenizer.fields(options, text(record));
    if (texts.isEmpty()) {
      throw new FieldException("the record has no line of fields");
    }
    checkCount(texts);
    Object[] cells = new Object[width];
    for (int i = 0; i < Math.min(fields.length, texts.size()); i++) {
      if (fields[i].isRead()) {
        cells[fields[i].cell()] = value(i, texts.get(i));
      }
    }
    return List.<Object[]>of(cells);
  }

  private static String text(byte[] record) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(record)).toString();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
    } catch (CharacterCodingException malformed) {
      throw new FieldException("the record is not UTF-8");
    }
  }

  /** One blank field too many is a trailing delimiter; missing fields are NULL only where errors are ignored. */
  private void checkCount(List<String> texts) {
    int surplus = texts.size() - fields.length;
    boolean trailingDelimiter = allowsTrailingDelimiter && surplus == 1 && texts.get(fields.length).isBlank();
    if (surplus > 0 && !trailingDelimiter && !dropsSurplus || surplus < 0 && !padsMissing) {
      throw new FieldException(fields.length + " fields expected, " + texts.size() + " found");
    }
  }

  private Object value(int position, String text) {
    if (emptyAsNull && text.isEmpty()) {
      return null;
    }
    try {
      return readers[position].apply(text);
    } catch (FieldException failure) {
      throw failure.inside(fields[position].name());
    }
  }
}
