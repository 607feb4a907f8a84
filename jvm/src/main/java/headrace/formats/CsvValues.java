package headrace.formats;

import com.fasterxml.jackson.core.Base64Variants;
import java.math.BigDecimal;
import java.sql.Date;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** The readers of CSV fields by SQL type, with Flink's leniencies: numbers may have blanks around, text keeps them. */
final class CsvValues {
  private final CsvOptions options;
  private final boolean ignoreParseErrors;
  private final TimeText times = TimeText.sql();

  CsvValues(FormatSpec format, CsvOptions options) {
    this.options = options;
    this.ignoreParseErrors = format.ignoresParseErrors();
  }

  /** A reader that also takes the null literal and yields null for a misfit when errors are ignored. */
  Function<String, Object> of(FieldType type) {
    Function<String, Object> reader = notNull(type);
    return text -> options.isNull(text) ? null : guarded(reader, type, text);
  }

  private Object guarded(Function<String, Object> reader, FieldType type, String text) {
    try {
      return reader.apply(text);
    } catch (RuntimeException misfit) {
      if (ignoreParseErrors) {
        return null;
      }
      throw misfit instanceof FieldException known ? known : FieldException.unreadable(text, type, misfit);
    }
  }

  private Function<String, Object> notNull(FieldType type) {
    return switch (type.kind) {
      case "NULL" -> text -> null;
      case "BOOLEAN" -> text -> Boolean.parseBoolean(text.trim());
      case "TINYINT" -> text -> Byte.parseByte(text.trim());
      case "SMALLINT" -> text -> Short.parseShort(text.trim());
      case "INT" -> text -> Integer.parseInt(text.trim());
      case "BIGINT" -> text -> Long.parseLong(text.trim());
      case "FLOAT" -> text -> Float.parseFloat(text.trim());
      case "DOUBLE" -> text -> Double.parseDouble(text.trim());
      case "DECIMAL" -> text -> Decimals.fitted(new BigDecimal(text), type);
      case "CHAR", "VARCHAR", "STRING" -> UTF8String::fromString;
      case "BINARY", "VARBINARY", "BYTES" -> text -> Base64Variants.getDefaultVariant().decode(text);
      case "DATE" -> text -> (int) Date.valueOf(text).toLocalDate().toEpochDay();
      case "TIME" -> text -> TimeText.cutNanos(LocalTime.parse(text).toNanoOfDay(), type.sparkPrecision());
      case "TIMESTAMP" -> text -> times.timestamp(text.trim(), type.sparkPrecision());
      case "TIMESTAMP_LTZ" -> text -> times.instant(text.trim(), type.sparkPrecision());
      case "ARRAY" -> array(of(type.children.get(0)));
      case "ROW" -> row(type);
      default -> throw new IllegalArgumentException("CSV has no form for " + type);
    };
  }

  private Function<String, Object> array(Function<String, Object> element) {
    return text -> new GenericArrayData(elements(text).stream().map(element).toArray());
  }

  private Function<String, Object> row(FieldType type) {
    List<Function<String, Object>> readers = new ArrayList<>();
    type.children.forEach(child -> readers.add(of(child)));
    return text -> {
      List<String> elements = elements(text);
      if (elements.isEmpty()) {
        return null;
      }
      return new GenericInternalRow(cells(elements, readers, type.names));
    };
  }

  private Object[] cells(List<String> elements, List<Function<String, Object>> readers, List<String> names) {
    if (elements.size() != readers.size() && !ignoreParseErrors) {
      throw new FieldException(readers.size() + " elements expected, " + elements.size() + " found");
    }
    Object[] cells = new Object[readers.size()];
    for (int i = 0; i < Math.min(cells.length, elements.size()); i++) {
      try {
        cells[i] = readers.get(i).apply(elements.get(i));
      } catch (FieldException failure) {
        throw failure.inside(names.get(i));
      }
    }
    return cells;
  }

  /** The elements of an ARRAY or ROW inside one field; blank text has none. */
  private List<String> elements(String text) {
    List<String> elements = new ArrayList<>();
    if (text.isBlank()) {
      return elements;
    }
    String delimiter = options.elementDelimiter();
    int start = 0;
    for (int end; (end = text.indexOf(delimiter, start)) >= 0; start = end + delimiter.length()) {
      elements.add(text.substring(start, end));
    }
    elements.add(text.substring(start));
    return elements;
  }
}
