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
  private static final class Part {
    final FormatSpec format;
    private final RecordReader reader;

    Part(JsonNode node) {
      format = new FormatSpec(node);
      reader = format.reader();
    }

    List<Object[]> read(byte[] record, int width) throws UnreadableException {
      try {
        return reader.read(record, width);
      } catch (RegistryException failure) {
        throw failure;
      } catch (IOException | RuntimeException failure) {
        if (format.ignoresParseErrors()) {
          return List.of();
        }
        throw new UnreadableException(format, failure);
      }
    }
  }

  private static final class Plan {
    final boolean upsert;
    final int width;
    private final int weight;
    final Part key;
    final Part value;
    final StructType rowType;
    private final int[] keyCells;
    private final int[] keyOnlyCells;

    Plan(String specification) {
      JsonNode root = parsed(specification);
      upsert = root.get("upsert").asBoolean();
      key = root.get("key").isNull() ? null : new Part(root.get("key"));
      value = new Part(root.get("value"));
      List<StructField> columns = new ArrayList<>();
      for (JsonNode column : root.get("columns")) {
        DataType type = FieldType.parse(column.get("type")).spark();
        columns.add(DataTypes.createStructField(column.get("name").asText(), type, true));
      }
      columns.add(DataTypes.createStructField(root.get("weight").asText(), DataTypes.LongType, false));
      rowType = DataTypes.createStructType(columns);
      weight = columns.size() - 1;
      width = columns.size() + root.path("room").asInt(0);
      keyCells = cells(key);
      int[] valueCells = cells(value);
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
        return rows(keys, List.<Object[]>of(new Object[width]), -1L, true);
      }
      return rows(keys, value.read(valueBytes, width), 1L, false);
    }

    private static JsonNode parsed(String specification) {
      try {
        return new ObjectMapper().readTree(specification);
      } catch (IOException malformed) {
        throw new IllegalArgumentException("malformed decoder specification", malformed);
      }
    }

    private static int[] cells(Part part) {
      if (part == null) {
        return new int[0];
      }
      return part.format.fields.stream().filter(Field::isRead).mapToInt(Field::cell).toArray();
    }

    /** Each key with each value. The value's copy of a shared column wins, except on a tombstone, which has none. */
    private InternalRow[] rows(List<Object[]> keys, List<Object[]> values, long change, boolean tombstone) {
      InternalRow[] rows = new InternalRow[keys.size() * values.size()];
      int next = 0;
      for (Object[] keyRow : keys) {
        for (Object[] valueRow : values) {
          Object[] cells = keys.size() == 1 ? valueRow : valueRow.clone();
          for (int cell : tombstone ? keyCells : keyOnlyCells) {
            cells[cell] = keyRow[cell];
          }
          cells[weight] = change;
          rows[next++] = new GenericInternalRow(cells);
        }
      }
      return rows;
    }
  }
}
