package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Decodes one Kafka record into weighted rows. It travels to the tasks as the text of its specification and builds
 * its readers there, on first use; they are immutable, so tasks of one JVM may share it.
 */
public final class RecordDecoder implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final List<Object[]> NO_KEY = List.<Object[]>of(new Object[0]);

  private final String specification;
  private final UnreadableRecords unreadable;
  private transient volatile Plan plan;

  /** `unreadable` is null where a record that cannot be decoded fails the task. */
  RecordDecoder(String specification, UnreadableRecords unreadable) {
    this.specification = specification;
    this.unreadable = unreadable;
  }

  /** Called from generated code, once per record; the last two are as {@link RawRecord} has them. */
  public ArrayData decode(
      byte[] key, byte[] value, UTF8String topic, int partition, long offset, long timestamp, ArrayData headers) {
    Plan ready = plan();
    try {
      return ready.decode(key, value);
    } catch (UnreadablePart failure) {
      RawRecord record = new RawRecord(key, value, topic.toString(), partition, offset, timestamp, headers);
      RecordException reason = RecordException.decoding(record.place(), failure.format, failure.failure);
      if (unreadable == null) {
        throw reason;
      }
      unreadable.take(record, reason);
      return new GenericArrayData(new Object[0]);
    }
  }

  /** Equal specifications are the same work, which lets Spark share it within a plan. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RecordDecoder that
        && that.specification.equals(specification)
        && that.unreadable == unreadable;
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
    return DataTypes.createArrayType(plan().rowType, false);
  }

  private Plan plan() {
    Plan ready = plan;
    if (ready == null) {
      ready = new Plan(specification);
      plan = ready;
    }
    return ready;
  }

  /** Carries a failure to where the record's place is known. */
  private static final class UnreadablePart extends Exception {
    private static final long serialVersionUID = 1L;

    final transient FormatSpec format;
    final Exception failure;

    UnreadablePart(FormatSpec format, Exception failure) {
      super(null, failure, false, false);
      this.format = format;
      this.failure = failure;
    }
  }

  /** A format with its reader, and what happens to a record the reader cannot read. */
  private static final class Part {
    final FormatSpec format;
    private final RecordReader reader;

    Part(JsonNode node) {
      format = new FormatSpec(node);
      reader = format.reader();
    }

    List<Object[]> read(byte[] record, int width) throws UnreadablePart {
      try {
        return reader.read(record, width);
      } catch (IOException | RuntimeException failure) {
        if (format.ignoresParseErrors()) {
          return List.of();
        }
        throw new UnreadablePart(format, failure);
      }
    }
  }

  private static final class Plan {
    final boolean upsert;
    final int width;
    final Part key;
    final Part value;
    final DataType rowType;
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
      width = columns.size();
      keyCells = cells(key);
      int[] valueCells = cells(value);
      keyOnlyCells = Arrays.stream(keyCells)
          .filter(cell -> Arrays.stream(valueCells).noneMatch(other -> other == cell))
          .toArray();
    }

    ArrayData decode(byte[] keyBytes, byte[] valueBytes) throws UnreadablePart {
      List<Object[]> keys = key == null ? NO_KEY : key.read(keyBytes, width);
      if (keys.isEmpty()) {
        return new GenericArrayData(new Object[0]);
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
    ArrayData rows(List<Object[]> keys, List<Object[]> values, long weight, boolean tombstone) {
      Object[] rows = new Object[keys.size() * values.size()];
      int next = 0;
      for (Object[] keyRow : keys) {
        for (Object[] valueRow : values) {
          Object[] cells = keys.size() == 1 ? valueRow : valueRow.clone();
          for (int cell : tombstone ? keyCells : keyOnlyCells) {
            cells[cell] = keyRow[cell];
          }
          cells[width - 1] = weight;
          rows[next++] = new GenericInternalRow(cells);
        }
      }
      return new GenericArrayData(rows);
    }
  }
}
