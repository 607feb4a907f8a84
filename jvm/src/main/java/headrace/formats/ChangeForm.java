package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The form in which changes are given.
 *
 * @param width the number of cells of a row
 * @param key the cells of the primary key where a reader applies changes by key, and needs the old row of none; empty
 *     where every old row must be known
 * @param keyInRecord whether the key of a record holds the whole primary key
 */
record ChangeForm(int width, List<Integer> key, boolean keyInRecord) {
  static ChangeForm of(JsonNode keyed, int width, int[] keyCells) {
    List<Integer> key = new ArrayList<>();
    keyed.forEach(cell -> key.add(cell.asInt()));
    List<Integer> inRecord = new ArrayList<>();
    for (int cell : keyCells) {
      inRecord.add(cell);
    }
    return new ChangeForm(width, key, !key.isEmpty() && inRecord.containsAll(key));
  }

  boolean isKeyed() {
    return !key.isEmpty();
  }
}
