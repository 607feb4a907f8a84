package headrace.connect.jdbc;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows that one task of Spark brings. */
interface Portion extends Serializable {
  Iterator<InternalRow> rows();
}
