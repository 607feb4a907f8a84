package headrace.lake;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts of rows as strings; a text that is that of the row before, as topics and paths mostly are, is made once. */
final class Texts {
  private final UTF8String[] before;
  private final String[] strings;

  Texts(int fields) {
    before = new UTF8String[fields];
    strings = new String[fields];
  }

  String of(InternalRow row, int field) {
    if (row.isNullAt(field)) {
      return null;
    }
    UTF8String text = row.getUTF8String(field);
    if (!text.equals(before[field])) {
      before[field] = text.clone(); // the row's memory is used again
      strings[field] = text.toString();
    }
    return strings[field];
  }
}
