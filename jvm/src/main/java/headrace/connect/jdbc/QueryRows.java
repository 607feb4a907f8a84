package headrace.connect.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;

/** Rows of a query that a task runs on a connection of its own, some at a time: memory does not grow with the answer. */
final class QueryRows implements Portion {
  private static final long serialVersionUID = 1L;

  private final Login login;
  private final String snapshot;
  private final Query query;
  private final Cells cells;

  /** `snapshot`: the exported one that all tasks of a poll read in, or null. */
  QueryRows(Login login, String snapshot, Query query, Cells cells) {
    this.login = login;
    this.snapshot = snapshot;
    this.query = query;
    this.cells = cells;
  }

  @Override
  public Iterator<InternalRow> rows() {
    try {
      Connection connection = login.open();
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) done -> close(connection));
      if (snapshot != null) {
        login.join(connection, snapshot);
      }
      PreparedStatement statement = query.prepare(connection);
      return new Reading(statement.executeQuery());
    } catch (SQLException failure) {
      throw new QueryFailed(failure);
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException gone) {
      // What was read is read; a server that is gone has closed it as well.
    }
  }

  private final class Reading implements Iterator<InternalRow> {
    private final ResultSet found;
    private boolean looked;
    private boolean more;

    Reading(ResultSet found) {
      this.found = found;
    }

    @Override
    public boolean hasNext() {
      if (!looked) {
        try {
          more = found.next();
        } catch (SQLException failure) {
          throw new QueryFailed(failure);
        }
        looked = true;
      }
      return more;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      looked = false;
      try {
        return cells.read(found);
      } catch (SQLException failure) {
        throw new QueryFailed(failure);
      }
    }
  }
}
