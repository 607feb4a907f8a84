package headrace.connect.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.spark.sql.types.DataType;

/** One column of a result, as an internal value of Spark; null for SQL's null. */
interface Cell {
  DataType type();

  Object read(ResultSet row, int place) throws SQLException;
}
