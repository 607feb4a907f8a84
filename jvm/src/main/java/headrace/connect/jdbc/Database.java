package headrace.connect.jdbc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;

/**
 * A connection as Python uses it: every question is one call, whose answer is a text of JSON, because a call per cell would
 * cost a round trip each.
 */
public final class Database implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int NANOS_PER_MICRO = 1000;

  private final Connection connection;

  public Database(Connection connection) {
    this.connection = connection;
  }

  /** Opens a connection by the first driver that knows the address. */
  public static Database open(String url, Map<String, String> properties) throws SQLException {
    Properties given = new Properties();
    given.putAll(properties);
    return new Database(connect(url, given));
  }

  /** DriverManager shows a class only the drivers that its own loader has; ours may come later. */
  public static Connection connect(String url, Properties properties) throws SQLException {
    for (Driver driver : Drivers.all()) {
      Connection connection = driver.acceptsURL(url) ? driver.connect(url, properties) : null;
      if (connection != null) {
        return connection;
      }
    }
    // SQLSTATE 08001: the client cannot connect.
    throw new SQLException("No suitable driver found for " + scheme(url), "08001");
  }

  /** Without what follows the server's kind: an address may hold a password. */
  private static String scheme(String url) {
    String[] parts = url.split(":", 3);
    return parts.length < 2 ? parts[0] : parts[0] + ":" + parts[1];
  }

  public Connection connection() {
    return connection;
  }

  /** The rows of a query as arrays of texts, numbers, truth values and nulls. */
  public String rows(String sql, List<?> parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, parameters.get(i));
      }
      try (ResultSet found = statement.executeQuery()) {
        return rows(found);
      }
    }
  }

  private static String rows(ResultSet found) throws SQLException {
    ArrayNode rows = MAPPER.createArrayNode();
    int width = found.getMetaData().getColumnCount();
    while (found.next()) {
      ArrayNode row = rows.addArray();
      for (int i = 1; i <= width; i++) {
        add(row, found.getObject(i), found, i);
      }
    }
    return rows.toString();
  }

  private static void add(ArrayNode row, Object value, ResultSet found, int place) throws SQLException {
    if (value instanceof Boolean truth) {
      row.add(truth);
    } else if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
      row.add(((Number) value).longValue());
    } else if (value instanceof BigDecimal decimal) {
      row.add(decimal);
    } else if (value instanceof Float || value instanceof Double) {
      row.add(((Number) value).doubleValue());
    } else {
      row.add(value == null ? null : found.getString(place));
    }
  }

  /** Catalogue, schema and name of the tables that match the patterns. */
  public String tables(String catalog, String schema, List<String> types) throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    ArrayNode rows = MAPPER.createArrayNode();
    try (ResultSet found = metadata.getTables(catalog, schema, "%", types.toArray(new String[0]))) {
      while (found.next()) {
        rows.addArray().add(found.getString("TABLE_CAT")).add(found.getString("TABLE_SCHEM"))
            .add(found.getString("TABLE_NAME"));
      }
    }
    return rows.toString();
  }

  /** The columns of a table in their order, and its primary key, as the driver tells them. */
  public String columns(String catalog, String schema, String table) throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    ObjectNode answer = MAPPER.createObjectNode();
    ArrayNode columns = answer.putArray("columns");
    String escape = metadata.getSearchStringEscape();
    try (ResultSet found =
        metadata.getColumns(catalog, literal(schema, escape), literal(table, escape), "%")) {
      while (found.next()) {
        // Not every driver can say that a _ is no wildcard.
        if (!table.equals(found.getString("TABLE_NAME"))) {
          continue;
        }
        ObjectNode column = columns.addObject().put("name", found.getString("COLUMN_NAME"));
        column.put("jdbc", found.getInt("DATA_TYPE")).put("type", found.getString("TYPE_NAME"));
        column.put("precision", found.getInt("COLUMN_SIZE")).put("scale", found.getInt("DECIMAL_DIGITS"));
        column.put("nullable", found.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls);
        column.put("increments", "YES".equals(found.getString("IS_AUTOINCREMENT")));
      }
    }
    ArrayNode key = answer.putArray("key");
    try (ResultSet found = metadata.getPrimaryKeys(catalog, schema, table)) {
      while (found.next()) {
        key.addArray().add(found.getInt("KEY_SEQ")).add(found.getString("COLUMN_NAME"));
      }
    }
    return answer.toString();
  }

  /** A name in which nothing is a wildcard of metadata's patterns. */
  private static String literal(String name, String escape) {
    if (name == null || escape == null || escape.isEmpty()) {
      return name;
    }
    return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
  }

  /** The columns of a query, which is prepared and not run. */
  public String described(String sql) throws SQLException {
    ArrayNode columns = MAPPER.createArrayNode();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ResultSetMetaData metadata = statement.getMetaData();
      for (int i = 1; i <= metadata.getColumnCount(); i++) {
        ObjectNode column = columns.addObject().put("name", metadata.getColumnLabel(i));
        column.put("jdbc", metadata.getColumnType(i)).put("type", metadata.getColumnTypeName(i));
        column.put("precision", metadata.getPrecision(i)).put("scale", metadata.getScale(i));
        column.put("nullable", metadata.isNullable(i) != ResultSetMetaData.columnNoNulls);
        column.put("increments", metadata.isAutoIncrement(i)).put("signed", metadata.isSigned(i));
      }
    }
    return columns.toString();
  }

  /** Microseconds since 1970 of a query's one timestamp; one without a zone is of the given zone. */
  public long instant(String sql, String zone) throws SQLException {
    try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery(sql)) {
      found.next();
      Timestamp moment = found.getTimestamp(1, Calendar.getInstance(TimeZone.getTimeZone(zone)));
      return Math.floorDiv(moment.getTime(), 1000L) * MICROS_PER_SECOND + moment.getNanos() / NANOS_PER_MICRO;
    }
  }

  /** The characters around names, a blank where the database has none. */
  public String quotes() throws SQLException {
    return connection.getMetaData().getIdentifierQuoteString();
  }

  public String catalog() throws SQLException {
    return connection.getCatalog();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
