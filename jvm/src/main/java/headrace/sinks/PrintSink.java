package headrace.sinks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Turns the changes of a batch into lines to be printed where the driver runs. Equal rows cancel by weight first; a removal and an
 * addition under one key are the halves of an update.
 */
public final class PrintSink implements BatchSink {
  private static final long serialVersionUID = 1L;
  private static final String WEIGHT = "__weight";

  /** Characters that wait for somebody to print them; past that nobody seems to, and the JVM prints them itself. */
  private static final int MOST_WAITING = 4_000_000;

  private final StringBuilder waiting = new StringBuilder();
  private final String prefix;
  private final boolean standardError;
  private final ArrayList<Integer> key;

  public PrintSink(String identifier, boolean standardError, List<Integer> key) {
    this.prefix = identifier.isEmpty() ? "" : identifier + "> ";
    this.standardError = standardError;
    this.key = new ArrayList<>(key);
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) {
    StringBuilder lines = new StringBuilder();
    for (List<Change> changes : byKey(batch.collectAsList()).values()) {
      boolean removes = changes.stream().anyMatch(change -> change.weight < 0);
      boolean updates = removes && changes.stream().anyMatch(change -> change.weight > 0) && !key.isEmpty();
      changes.stream().filter(change -> change.weight < 0).forEach(change -> append(lines, updates ? "-U" : "-D", change));
      changes.stream().filter(change -> change.weight > 0).forEach(change -> append(lines, updates ? "+U" : "+I", change));
    }
    keep(lines);
  }

  /** The lines since the last call; whoever watches the job prints them. */
  public synchronized String drain() {
    String lines = waiting.toString();
    waiting.setLength(0);
    return lines;
  }

  private synchronized void keep(StringBuilder lines) {
    waiting.append(lines);
    if (waiting.length() > MOST_WAITING) {
      PrintStream out = standardError ? System.err : System.out;
      out.print(drain());
      out.flush();
    }
  }

  private void append(StringBuilder lines, String kind, Change change) {
    for (long copy = 0; copy < Math.abs(change.weight); copy++) {
      lines.append(prefix).append(kind).append(change.text).append(System.lineSeparator());
    }
  }

  /** Net changes in order of first appearance, grouped by key; without a key all are one group. */
  private Map<List<String>, List<Change>> byKey(List<Row> rows) {
    Map<List<String>, Long> net = new LinkedHashMap<>();
    for (Row row : rows) {
      int weight = row.fieldIndex(WEIGHT);
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        if (i != weight) {
          cells.add(CellText.of(row.get(i)));
        }
      }
      net.merge(cells, row.getLong(weight), Long::sum);
    }
    Map<List<String>, List<Change>> groups = new LinkedHashMap<>();
    net.forEach((cells, weight) -> groups
        .computeIfAbsent(key.stream().map(cells::get).collect(Collectors.toList()), any -> new ArrayList<>())
        .add(new Change(cells.toString(), weight)));
    return groups;
  }

  private record Change(String text, long weight) {}
}
