package headrace.kafka;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Folds changes that are sorted by key into at most one per key. Equal rows cancel by weight; of what is left an addition
 * wins over removals, since the row it adds replaces the removed ones under the same key.
 */
final class ChangeFold implements Iterator<Outgoing> {
  private final KeyChanges keys;
  private Outgoing folded;

  ChangeFold(Iterator<Outgoing> sorted) {
    this.keys = new KeyChanges(sorted);
  }

  @Override
  public boolean hasNext() {
    while (folded == null && keys.hasNext()) {
      folded = winner(keys.next());
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
