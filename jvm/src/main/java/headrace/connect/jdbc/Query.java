package headrace.connect.jdbc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.TimeZone;

/**
 * A SELECT and its parameters, a text of JSON: whole numbers as they are, and moments as arrays of seconds since 1970 and
 * nanoseconds, which are bound in the database's zone.
 */
public final class Query implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long MILLIS_PER_SECOND = 1000L;

  private final String sql;
  private final String parameters;
  private final String zone;
  private final int fetchSize;

  public Query(String sql, String parameters, String zone, int fetchSize) {
    this.sql = sql;
    this.parameters = parameters;
    this.zone = zone;
    this.fetchSize = fetchSize;
  }

  String zone() {
    return zone;
  }

  PreparedStatement prepare(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setFetchSize(fetchSize);
    int place = 1;
    for (JsonNode parameter : parsed()) {
      if (parameter.isArray()) {
        statement.setTimestamp(place++, moment(parameter), calendar(zone));
      } else {
        bindNumber(statement, place++, parameter.decimalValue());
      }
    }
    return statement;
  }

  /** As a long where it is one: a column of integers compared to a decimal would not use its index. */
  private static void bindNumber(PreparedStatement statement, int place, BigDecimal number) throws SQLException {
    try {
      statement.setLong(place, number.longValueExact());
    } catch (ArithmeticException large) {
      statement.setBigDecimal(place, number);
    }
  }

  private static Timestamp moment(JsonNode parts) {
    Timestamp moment = new Timestamp(parts.get(0).asLong() * MILLIS_PER_SECOND);
    moment.setNanos(parts.get(1).asInt());
    return moment;
  }

  static Calendar calendar(String zone) {
    return Calendar.getInstance(TimeZone.getTimeZone(zone));
  }

  private JsonNode parsed() {
    try {
      return new ObjectMapper().readTree(parameters);
    } catch (JsonProcessingException malformed) {
      throw new IllegalArgumentException("parameters are no JSON", malformed);
    }
  }
}
