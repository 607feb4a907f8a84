package headrace.connect.jdbc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/** What a poll found: the rows, if they are few, and the position of the last of them. */
public final class Fetched {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long MILLIS_PER_SECOND = 1000L;

  private final List<InternalRow> rows = new ArrayList<>();
  private final ObjectNode last = MAPPER.createObjectNode();
  private final ArrayNode digests = MAPPER.createArrayNode();
  private boolean tooMany;

  private Fetched() {}

  /**
   * Runs a query whose columns end in those of the position: a timestamp, a number, or both. Of an answer with more rows
   * than `most` nothing is kept.
   */
  public static Fetched of(Connection connection, Query query, Cells cells, boolean timestamp, boolean number, int most)
      throws SQLException {
    Fetched fetched = new Fetched();
    try (PreparedStatement statement = query.prepare(connection); ResultSet found = statement.executeQuery()) {
      int place = found.getMetaData().getColumnCount() - (timestamp ? 1 : 0) - (number ? 1 : 0) + 1;
      while (found.next() && fetched.keep(cells.read(found), most)) {
        fetched.note(found, place, timestamp, number, query.zone());
      }
    }
    return fetched;
  }

  /**
   * The same without rows that are among the `known` digests. Digests of all rows whose timestamps are not before a moment
   * are kept, for the next time.
   */
  public static Fetched unknown(
      Connection connection, Query query, Cells cells, boolean number, int most, List<Long> known, long seconds, int nanos)
      throws SQLException {
    Fetched fetched = new Fetched();
    Set<Long> sent = new HashSet<>(known);
    RowDigest digest = new RowDigest(cells.schema());
    try (PreparedStatement statement = query.prepare(connection); ResultSet found = statement.executeQuery()) {
      int place = found.getMetaData().getColumnCount() - (number ? 1 : 0);
      boolean goesOn = true;
      while (goesOn && found.next()) {
        InternalRow row = cells.read(found);
        long own = digest.of(row);
        Timestamp moment = found.getTimestamp(place, Query.calendar(query.zone()));
        if (!isBefore(moment, seconds, nanos)) {
          fetched.digests.add(own);
        }
        if (!sent.contains(own)) {
          goesOn = fetched.keep(row, most);
          fetched.note(found, place, true, number, query.zone());
        }
      }
    }
    return fetched;
  }

  private static boolean isBefore(Timestamp moment, long seconds, int nanos) {
    long second = Math.floorDiv(moment.getTime(), MILLIS_PER_SECOND);
    return second < seconds || (second == seconds && moment.getNanos() < nanos);
  }

  /** As JSON. */
  public String digests() {
    return digests.toString();
  }

  /** The position of the first row of a query for positions alone, empty where there is none. */
  public static String lastOf(Connection connection, Query query, boolean timestamp, boolean number)
      throws SQLException {
    Fetched fetched = new Fetched();
    try (PreparedStatement statement = query.prepare(connection)) {
      statement.setMaxRows(1);
      try (ResultSet found = statement.executeQuery()) {
        if (found.next()) {
          fetched.note(found, 1, timestamp, number, query.zone());
        }
      }
    }
    return fetched.last();
  }

  private boolean keep(InternalRow row, int most) {
    tooMany = rows.size() >= most;
    if (tooMany) {
      rows.clear();
    } else {
      rows.add(row);
    }
    return !tooMany;
  }

  private void note(ResultSet found, int place, boolean timestamp, boolean number, String zone) throws SQLException {
    if (timestamp) {
      Timestamp moment = found.getTimestamp(place, Query.calendar(zone));
      ArrayNode parts = last.putArray("timestamp");
      parts.add(Math.floorDiv(moment.getTime(), MILLIS_PER_SECOND)).add(moment.getNanos());
    }
    if (number) {
      BigDecimal id = found.getBigDecimal(place + (timestamp ? 1 : 0));
      last.put("incrementing", id.toBigInteger());
    }
  }

  public boolean tooMany() {
    return tooMany;
  }

  public int count() {
    return rows.size();
  }

  /** The position of the last row, empty where there is none. */
  public String last() {
    return last.toString();
  }

  public Portion portion() {
    return new HeldRows(rows.toArray(InternalRow[]::new));
  }
}
