package headrace.kafka;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Leaves out a removal that is a key's first change and not its last: what follows under the key replaces it anyway. */
final class FirstRemovals implements Iterator<Outgoing> {
  private final Iterator<Outgoing> sorted;
  private Outgoing before;
  private Outgoing ahead;

  FirstRemovals(Iterator<Outgoing> sorted) {
    this.sorted = sorted;
    this.ahead = sorted.hasNext() ? sorted.next() : null;
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public Outgoing next() {
    if (ahead == null) {
      throw new NoSuchElementException();
    }
    Outgoing current = take();
    boolean first = before == null || !before.sameKey(current);
    if (first && current.weight < 0 && ahead != null && current.sameKey(ahead)) {
      current = take();
    }
    before = current;
    return current;
  }

  private Outgoing take() {
    Outgoing taken = ahead;
    ahead = sorted.hasNext() ? sorted.next() : null;
    return taken;
  }
}
