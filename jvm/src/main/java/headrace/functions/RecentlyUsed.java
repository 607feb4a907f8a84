package headrace.functions;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** What was made from the texts used last. Patterns are nearly always the same few, but may come from a column. */
final class RecentlyUsed<T> {
  private static final int KEPT = 64;

  private final Function<String, T> maker;
  private final Map<String, T> made = new LinkedHashMap<>(KEPT, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
      return size() > KEPT;
    }
  };

  RecentlyUsed(Function<String, T> maker) {
    this.maker = maker;
  }

  T of(String text) {
    T known = made.get(text);
    if (known == null) {
      known = maker.apply(text);
      made.put(text, known);
    }
    return known;
  }
}
