package headrace.kafka;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The changes of each key that follow each other, with those of equal rows added up by weight. */
final class KeyChanges implements Iterator<List<Outgoing>> {
  private final Iterator<Outgoing> grouped;
  private Outgoing ahead;

  KeyChanges(Iterator<Outgoing> grouped) {
    this.grouped = grouped;
    this.ahead = grouped.hasNext() ? grouped.next() : null;
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public List<Outgoing> next() {
    if (ahead == null) {
      throw new NoSuchElementException();
    }
    List<Outgoing> rows = new ArrayList<>(2);
    Outgoing first = ahead;
    while (ahead != null && first.sameKey(ahead)) {
      add(rows, ahead);
      ahead = grouped.hasNext() ? grouped.next() : null;
    }
    return rows;
  }

  private static void add(List<Outgoing> rows, Outgoing change) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).sameRow(change)) {
        rows.set(i, change.weighing(rows.get(i).weight + change.weight));
        return;
      }
    }
    rows.add(change);
  }
}
