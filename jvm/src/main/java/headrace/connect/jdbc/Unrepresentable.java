package headrace.connect.jdbc;

import java.sql.SQLDataException;

/** A value of the database that the column's type in Connect cannot hold. */
final class Unrepresentable extends SQLDataException {
  private static final long serialVersionUID = 1L;

  Unrepresentable(String value, String target) {
    super(value + " cannot be told as " + target);
  }
}
