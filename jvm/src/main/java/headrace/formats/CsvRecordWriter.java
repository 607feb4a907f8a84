package headrace.formats;

import com.fasterxml.jackson.core.Base64Variants;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Writes a row as one CSV line without a line end, quoting text exactly where Flink's CSV generator does. */
final class CsvRecordWriter implements RecordWriter {
  /** Text longer than this is quoted unseen. */
  private static final int MAX_CHECKED_CHARACTERS = 24;

  private final CsvOptions options;
  private final boolean scientific;
  private final int firstSafeCharacter;
  private final int escapeToQuote;
  private final List<FieldType> types;
  private final TimeText times = TimeText.sql();

  CsvRecordWriter(FormatSpec format) {
    options = CsvOptions.of(format);
    scientific = format.flag("write-bigdecimal-in-scientific-notation");
    firstSafeCharacter = 1 + Math.max(Math.max(options.delimiter(), options.quote()), '\r');
    // A backslash may be taken for an escape by whoever reads the line, unless another character is.
    escapeToQuote = options.escape() == CsvOptions.NONE ? '\\' : options.escape();
    types = format.fields.stream().map(Field::type).toList();
  }

  @Override
  public byte[] write(InternalRow row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < types.size(); i++) {
      if (i > 0) {
        line.append(options.delimiter());
      }
      append(line, types.get(i), row, i);
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void append(StringBuilder line, FieldType type, InternalRow row, int position) {
    String text = text(type, row, position);
    boolean bare = row.isNullAt(position) || isBare(type.kind);
    line.append(bare || !needsQuotes(text) ? text : quoted(text));
  }

  private static boolean isBare(String kind) {
    return switch (kind) {
      case "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL" -> true;
      default -> false;
    };
  }

  private boolean needsQuotes(String text) {
    if (options.quote() == CsvOptions.NONE) {
      return false;
    }
    return text.length() > MAX_CHECKED_CHARACTERS
        || text.chars().anyMatch(c -> c < firstSafeCharacter || c == escapeToQuote);
  }

  private String quoted(String text) {
    StringBuilder quoted = new StringBuilder().append((char) options.quote());
    for (int i = 0; i < text.length(); i++) {
      char current = text.charAt(i);
      if (current == options.quote() || current == options.escape()) {
        quoted.append(current);
      }
      quoted.append(current);
    }
    return quoted.append((char) options.quote()).toString();
  }

  private String text(FieldType type, SpecializedGetters source, int i) {
    if (source.isNullAt(i)) {
      return options.nullText();
    }
    return switch (type.kind) {
      case "BOOLEAN" -> Boolean.toString(source.getBoolean(i));
      case "TINYINT" -> Byte.toString(source.getByte(i));
      case "SMALLINT" -> Short.toString(source.getShort(i));
      case "INT" -> Integer.toString(source.getInt(i));
      case "BIGINT" -> Long.toString(source.getLong(i));
      case "FLOAT" -> Float.toString(source.getFloat(i));
      case "DOUBLE" -> Double.toString(source.getDouble(i));
      case "DECIMAL" -> decimal(type, source, i);
      case "CHAR", "VARCHAR", "STRING" -> source.getUTF8String(i).toString();
      case "BINARY", "VARBINARY", "BYTES" -> Base64Variants.getDefaultVariant().encode(source.getBinary(i));
      case "DATE" -> LocalDate.ofEpochDay(source.getInt(i)).toString();
      case "TIME" -> DateTimeFormatter.ISO_LOCAL_TIME.format(LocalTime.ofNanoOfDay(source.getLong(i)));
      case "TIMESTAMP" -> times.formatTimestamp(source.getLong(i));
      case "TIMESTAMP_LTZ" -> times.formatInstant(source.getLong(i));
      case "ARRAY" -> array(type.children.get(0), source.getArray(i));
      case "ROW" -> row(type.children, source.getStruct(i, type.children.size()));
      default -> throw new IllegalArgumentException("CSV has no form for " + type);
    };
  }

  private String decimal(FieldType type, SpecializedGetters source, int i) {
    var number = source.getDecimal(i, type.precision, type.scale).toJavaBigDecimal();
    return scientific ? number.stripTrailingZeros().toString() : number.toPlainString();
  }

  private String array(FieldType element, ArrayData elements) {
    String[] texts = new String[elements.numElements()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = text(element, elements, i);
    }
    return String.join(options.elementDelimiter(), texts);
  }

  private String row(List<FieldType> fields, InternalRow row) {
    String[] texts = new String[fields.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = text(fields.get(i), row, i);
    }
    return String.join(options.elementDelimiter(), texts);
  }
}
