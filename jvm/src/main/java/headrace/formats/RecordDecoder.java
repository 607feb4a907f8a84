package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Decodes one Kafka record into weighted rows. It travels to the tasks as the text of its specification and builds
 * its readers there, on first use; they are immutable, so tasks of one JVM may share it.
 */
public final class RecordDecoder implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final InternalRow[] NO_ROWS = new InternalRow[0];
  private static final List<Object[]> NO_KEY = List.<Object[]>of(new Object[0]);

  private final String specification;
  private transient volatile Plan plan;

  public RecordDecoder(String specification) {
    this.specification = specification;
  }

  /** The rows of a record: the columns, the weight, then as many empty cells as the specification asks for. */
  public InternalRow[] rows(byte[] key, byte[] value) throws UnreadableException {
    return plan().rows(key, value);
  }

  /** The same as one value, called from generated code; the place of the record is for an error. */
  public ArrayData decode(byte[] key, byte[] value, UTF8String topic, int partition, long offset) {
    try {
      return new GenericArrayData(rows(key, value));
    } catch (UnreadableException failure) {
      throw failure.at(topic.toString(), partition, offset);
    }
  }

  /** Equal specifications are the same work, which lets Spark share it within a plan. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RecordDecoder that && that.specification.equals(specification);
  }

  @Override
  public int hashCode() {
    return specification.hashCode();
  }

  @Override
  public String toString() {
    return "RecordDecoder";
  }

  DataType resultType() {
    return DataTypes.createArrayType(rowType(), false);
  }

  /** The columns and the weight. */
  public StructType rowType() {
    return plan().rowType;
  }

  private Plan plan() {
    Plan ready = plan;
    if (ready == null) {
      ready = new Plan(specification);
      plan = ready;
    }
    return ready;
  }

  /** A format with its reader, and what happens to a record the reader cannot read. */
  private abstract static class Part {
    final FormatSpec format;

    Part(FormatSpec format) {
      this.format = format;
    }

    <T> List<T> withoutUnreadable(Exception failure) throws UnreadableException {
      if (format.ignoresParseErrors()) {
        return List.of();
      }
      throw new UnreadableException(format, failure);
    }

    /** The cells that its fields fill. */
    int[] cells() {
      return format.fields.stream().filter(Field::isRead).mapToInt(Field::cell).toArray();
    }
  }

  private static final class RowPart extends Part {
    private final RecordReader reader;

    RowPart(FormatSpec format) {
      super(format);
      reader = format.reader();
    }

    List<Object[]> read(byte[] record, int width) throws UnreadableException {
      try {
        return reader.read(record, width);
      } catch (RegistryException failure) {
        throw failure;
      } catch (IOException | RuntimeException failure) {
        return withoutUnreadable(failure);
      }
    }
  }

  private static final class ChangePart extends Part {
    private final ChangeReader reader;

    ChangePart(FormatSpec format, ChangeReader reader) {
      super(format);
      this.reader = reader;
    }

    List<Change> read(byte[] record) throws UnreadableException {
      try {
        return reader.read(record);
      } catch (RegistryException failure) {
        throw failure;
      } catch (IOException | RuntimeException failure) {
        return withoutUnreadable(failure);
      }
    }
  }

  private static final class Plan {
    final boolean upsert;
    final int width;
    private final int weight;
    private final RowPart key;
    /** One of the two, by what the format's records are. */
    private final RowPart values;
    private final ChangePart changes;
    final StructType rowType;
    private final int[] keyCells;
    private final int[] keyOnlyCells;

    Plan(String specification) {
      JsonNode root = parsed(specification);
      upsert = root.get("upsert").asBoolean();
      key = root.get("key").isNull() ? null : new RowPart(new FormatSpec(root.get("key")));
      List<StructField> columns = new ArrayList<>();
      for (JsonNode column : root.get("columns")) {
        DataType type = FieldType.parse(column.get("type")).spark();
        columns.add(DataTypes.createStructField(column.get("name").asText(), type, true));
      }
      columns.add(DataTypes.createStructField(root.get("weight").asText(), DataTypes.LongType, false));
      rowType = DataTypes.createStructType(columns);
      weight = columns.size() - 1;
      width = columns.size() + root.path("room").asInt(0);
      keyCells = key == null ? new int[0] : key.cells();
      FormatSpec value = new FormatSpec(root.get("value"));
      ChangeReader reader = value.changes(ChangeForm.of(root.path("keyed"), width, keyCells));
      changes = reader == null ? null : new ChangePart(value, reader);
      values = reader == null ? new RowPart(value) : null;
      int[] valueCells = (values == null ? changes : values).cells();
      keyOnlyCells = Arrays.stream(keyCells)
          .filter(cell -> Arrays.stream(valueCells).noneMatch(other -> other == cell))
          .toArray();
    }

    InternalRow[] rows(byte[] keyBytes, byte[] valueBytes) throws UnreadableException {
      List<Object[]> keys = key == null ? NO_KEY : key.read(keyBytes, width);
      if (keys.isEmpty()) {
        return NO_ROWS;
      }
      if (valueBytes == null && upsert) {
        return rows(keys, List.of(new Change(new Object[width], -1L, true)));
      }
      return changes == null ? added(keys, values.read(valueBytes, width)) : rows(keys, changes.read(valueBytes));
    }

    private static JsonNode parsed(String specification) {
      try {
        return new ObjectMapper().readTree(specification);
      } catch (IOException malformed) {
        throw new IllegalArgumentException("malformed decoder specification", malformed);
      }
    }

    /** Each key with each value. */
    private InternalRow[] added(List<Object[]> keys, List<Object[]> rows) {
      InternalRow[] added = new InternalRow[keys.size() * rows.size()];
      int next = 0;
      for (Object[] keyRow : keys) {
        for (Object[] cells : rows) {
          added[next++] = row(keyRow, keys.size() == 1 ? cells : cells.clone(), 1L, false);
        }
      }
      return added;
    }

    private InternalRow[] rows(List<Object[]> keys, List<Change> changes) {
      InternalRow[] rows = new InternalRow[keys.size() * changes.size()];
      int next = 0;
      for (Object[] keyRow : keys) {
        for (Change change : changes) {
          Object[] cells = keys.size() == 1 ? change.cells() : change.cells().clone();
          rows[next++] = row(keyRow, cells, change.weight(), change.ofKey());
        }
      }
      return rows;
    }

    /** The value's copy of a column that key and value share wins, except where the value has no row. */
    private InternalRow row(Object[] keyRow, Object[] cells, long change, boolean ofKey) {
      for (int cell : ofKey ? keyCells : keyOnlyCells) {
        cells[cell] = keyRow[cell];
      }
      cells[weight] = change;
      return new GenericInternalRow(cells);
    }
  }
}
