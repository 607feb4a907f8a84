package headrace.connect.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Serializable;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * How the columns of a SELECT become a row of Spark's: made from a text of JSON, which is what travels to the tasks.
 * `columns` has a name, a way to read and `optional` for each; `zone` is that of timestamps without one, `timestamps` their
 * granularity, `legacyDates` the calendar, `nullsForUnrepresentable` what becomes of values that a type cannot hold.
 */
public final class Cells implements Serializable {
  private static final long serialVersionUID = 1L;

  private record Column(String name, boolean optional, Cell cell) {}

  private final String settings;
  private transient List<Column> columns;
  private transient boolean nulls;

  public Cells(String settings) {
    this.settings = settings;
  }

  public StructType schema() {
    StructType schema = new StructType();
    for (Column column : columns()) {
      schema = schema.add(column.name(), column.cell().type(), true);
    }
    return schema;
  }

  /** A row of its own for the place where the result stands. */
  public InternalRow read(ResultSet row) throws SQLException {
    List<Column> wanted = columns();
    Object[] cells = new Object[wanted.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = cell(wanted.get(i), row, i + 1);
    }
    return new GenericInternalRow(cells);
  }

  private Object cell(Column column, ResultSet row, int place) throws SQLException {
    try {
      return column.cell().read(row, place);
    } catch (Unrepresentable unheld) {
      if (nulls && column.optional()) {
        return null;
      }
      throw new SQLDataException("column '" + column.name() + "': " + unheld.getMessage());
    } catch (DateTimeException | ArithmeticException | NumberFormatException unreadable) {
      throw new SQLDataException("column '" + column.name() + "': " + unreadable.getMessage(), unreadable);
    }
  }

  private List<Column> columns() {
    if (columns == null) {
      JsonNode read = parsed();
      nulls = read.path("nullsForUnrepresentable").asBoolean();
      CellKinds kinds = new CellKinds(
          ZoneId.of(read.path("zone").asText("UTC")),
          Granularity.of(read.path("timestamps").asText("connect_logical")),
          read.path("legacyDates").asBoolean());
      List<Column> made = new ArrayList<>();
      for (JsonNode column : read.path("columns")) {
        made.add(new Column(column.path("name").asText(), column.path("optional").asBoolean(),
            kinds.cell(column.path("read").asText())));
      }
      columns = made;
    }
    return columns;
  }

  private JsonNode parsed() {
    try {
      return new ObjectMapper().readTree(settings);
    } catch (IOException malformed) {
      throw new IllegalArgumentException("malformed settings", malformed);
    }
  }
}
