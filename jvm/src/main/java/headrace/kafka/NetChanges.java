package headrace.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * What is left of the changes of each key when equal rows cancel, removals first: a reader that applies messages by key must
 * not see an old row go after the new one came.
 */
final class NetChanges implements Iterator<Outgoing> {
  private final KeyChanges keys;
  private final Deque<Outgoing> ready = new ArrayDeque<>();

  NetChanges(Iterator<Outgoing> grouped) {
    this.keys = new KeyChanges(grouped);
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty() && keys.hasNext()) {
      List<Outgoing> rows = keys.next();
      rows.stream().filter(row -> row.weight < 0).forEach(ready::add);
      rows.stream().filter(row -> row.weight > 0).forEach(ready::add);
    }
    return !ready.isEmpty();
  }

  @Override
  public Outgoing next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }
}
