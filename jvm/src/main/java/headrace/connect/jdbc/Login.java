package headrace.connect.jdbc;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** How to connect, and what a connection is told first; travels to the tasks. */
public final class Login implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String url;
  private final HashMap<String, String> properties;
  private final int isolation;

  /** `isolation`: one of java.sql.Connection's, or -1 for the database's own. */
  public Login(String url, Map<String, String> properties, int isolation) {
    this.url = url;
    this.properties = new HashMap<>(properties);
    this.isolation = isolation;
  }

  /** Without automatic commits: drivers give rows some at a time only within a transaction. */
  public Connection open() throws SQLException {
    Properties given = new Properties();
    given.putAll(properties);
    Connection connection = Database.connect(url, given);
    if (isolation >= 0) {
      connection.setTransactionIsolation(isolation);
    }
    connection.setAutoCommit(false);
    return connection;
  }

  /** See what the transaction sees that exported a snapshot. */
  void join(Connection connection, String snapshot) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION SNAPSHOT '" + snapshot + "'");
    }
  }
}
