package headrace.connect.jdbc;

import java.sql.SQLException;

/** A query that failed within a task; the message carries SQLSTATE, by which the driver tells what may pass. */
final class QueryFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  QueryFailed(SQLException cause) {
    super("SQLSTATE " + cause.getSQLState() + ": " + cause.getMessage(), cause);
  }
}
