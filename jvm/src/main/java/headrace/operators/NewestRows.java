package headrace.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Of all rows of a key that a task reads, in order, only the newest can matter. Holds it, for as many keys as fit, with all
 * rows in one array: a newer row takes the place of the older one where it is not longer.
 */
public final class NewestRows {
  /** 64 MB of rows, or half a million keys (about 30 bytes each beside their rows): what a task may hold, a core each. */
  private static final int MAX_BYTES = 64 << 20;

  private static final int MAX_KEYS = 500_000;

  /** Before a row: the room it may take, and its length. */
  private static final int HEADER = 8;

  private static final int LENGTH = 4;

  private final UnsafeProjection keyOf;
  private final UnsafeProjection whole;
  private final int width;
  /** A key's number is the place of its row. */
  private final ByteTable keys = new ByteTable();
  private byte[] rows = new byte[1 << 16];
  private int used;

  public NewestRows(StructType schema, int[] keyOrdinals) {
    StructField[] fields = schema.fields();
    List<Expression> key = new ArrayList<>();
    for (int ordinal : keyOrdinals) {
      key.add(new BoundReference(ordinal, fields[ordinal].dataType(), true));
    }
    keyOf = UnsafeProjection.create(CollectionConverters.asScala(key).toSeq());
    whole = UnsafeProjection.create(schema);
    width = fields.length;
  }

  public boolean isFull() {
    return keys.size() >= MAX_KEYS || used >= MAX_BYTES;
  }

  public void add(InternalRow row) {
    int known = keys.size();
    int entry = Packed.entry(keys, keyOf.apply(row));
    UnsafeRow newest = whole.apply(row);
    int length = newest.getSizeInBytes();
    int place = (int) keys.number(entry);
    if (keys.size() > known || length > number(place)) {
      place = allocate(length);
      keys.number(entry, place);
    }
    number(place + LENGTH, length);
    newest.writeToMemory(rows, Platform.BYTE_ARRAY_OFFSET + place + HEADER);
  }

  private int allocate(int length) {
    int place = used;
    int end = Math.addExact(place, HEADER + length);
    if (end > rows.length) {
      rows = Arrays.copyOf(rows, Math.max(end, (int) Math.min(rows.length * 2L, MAX_BYTES)));
    }
    number(place, length);
    used = end;
    return place;
  }

  private int number(int place) {
    return Platform.getInt(rows, Platform.BYTE_ARRAY_OFFSET + place);
  }

  private void number(int place, int number) {
    Platform.putInt(rows, Platform.BYTE_ARRAY_OFFSET + place, number);
  }

  /** The rows held, in the order in which their keys came. They stay valid until `clear`. */
  public Iterator<InternalRow> iterator() {
    UnsafeRow view = new UnsafeRow(width);
    return new Iterator<>() {
      private int entry;

      @Override
      public boolean hasNext() {
        return entry < keys.end();
      }

      @Override
      public InternalRow next() {
        int place = (int) keys.number(entry);
        view.pointTo(rows, Platform.BYTE_ARRAY_OFFSET + place + HEADER, number(place + LENGTH));
        entry = keys.next(entry);
        return view;
      }
    };
  }

  public void clear() {
    keys.clear();
    used = 0;
  }
}
