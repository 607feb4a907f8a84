package headrace.kafka;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Folds changes that are sorted by key into at most one per key. Equal rows cancel by weight; of what is left an addition
 * wins over removals, since the row it adds replaces the removed ones under the same key.
 */
final class ChangeFold implements Iterator<Outgoing> {
  private final Iterator<Outgoing> sorted;
  private Outgoing ahead;
  private Outgoing folded;

  ChangeFold(Iterator<Outgoing> sorted) {
    this.sorted = sorted;
    this.ahead = sorted.hasNext() ? sorted.next() : null;
  }

  @Override
  public boolean hasNext() {
    while (folded == null && ahead != null) {
      folded = winner(changesOfNextKey());
    }
    return folded != null;
  }

  @Override
  public Outgoing next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Outgoing result = folded;
    folded = null;
    return result;
  }

  private List<Outgoing> changesOfNextKey() {
    List<Outgoing> rows = new ArrayList<>(2);
    Outgoing first = ahead;
    while (ahead != null && first.sameKey(ahead)) {
      add(rows, ahead);
      ahead = sorted.hasNext() ? sorted.next() : null;
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

  private static Outgoing winner(List<Outgoing> rows) {
    Outgoing removed = null;
    Outgoing added = null;
    for (Outgoing row : rows) {
      added = row.weight > 0 ? row : added;
      removed = row.weight < 0 ? row : removed;
    }
    return added != null ? added : removed;
  }
}
