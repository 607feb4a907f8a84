package headrace.kafka;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Holds changes back until it has so many distinct keys or the input ends, and gives out the last change of each of them, in the
 * order of these.
 */
final class KeyBuffer implements Iterator<Outgoing> {
  private final Iterator<Outgoing> changes;
  private final int keys;
  private final ArrayDeque<Outgoing> flushed = new ArrayDeque<>();

  KeyBuffer(Iterator<Outgoing> changes, int keys) {
    this.changes = changes;
    this.keys = keys;
  }

  @Override
  public boolean hasNext() {
    if (flushed.isEmpty()) {
      fill();
    }
    return !flushed.isEmpty();
  }

  @Override
  public Outgoing next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return flushed.poll();
  }

  private void fill() {
    Map<List<Object>, Outgoing> held = new LinkedHashMap<>();
    while (held.size() < keys && changes.hasNext()) {
      Outgoing change = changes.next();
      List<Object> key = Arrays.asList(change.topic, change.key == null ? null : ByteBuffer.wrap(change.key));
      held.remove(key);
      held.put(key, change);
    }
    flushed.addAll(held.values());
  }
}
