package headrace.formats;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The changes of one message in the form that is asked for. By key an update is the new row alone, and of a deleted row only
 * its key is looked at. Rows that go are then given before rows that come, since a statement may move keys on: what one row
 * leaves another takes.
 */
final class ChangeList {
  private static final String FULL_IMAGES = "ALTER TABLE … REPLICA IDENTITY FULL in PostgreSQL";

  private final ChangeForm form;
  private final List<Change> removed = new ArrayList<>(1);
  private final List<Change> added = new ArrayList<>(1);
  private final List<Change> inOrder = new ArrayList<>(2);

  ChangeList(ChangeForm form) {
    this.form = form;
  }

  void insert(String field, Object[] after) {
    add(required(field, after));
  }

  void update(String oldField, Object[] before, String newField, Object[] after) {
    required(newField, after);
    if (before == null && !form.isKeyed()) {
      throw missing(oldField, "an update", "a PRIMARY KEY in the table");
    }
    if (isTold(before) && !(form.isKeyed() && sameKey(before, after))) {
      remove(Change.removed(before));
    }
    add(after);
  }

  void delete(String field, Object[] before) {
    if (isTold(before)) {
      remove(Change.removed(before));
    } else if (form.keyInRecord()) {
      remove(new Change(new Object[form.width()], -1L, true));
    } else {
      String other = form.isKeyed() ? "'key.format' with the primary key's columns as 'key.fields'"
          : "a PRIMARY KEY and 'key.format' in the table";
      throw missing(field, "a delete", other);
    }
  }

  List<Change> changes() {
    if (!form.isKeyed()) {
      return inOrder;
    }
    removed.addAll(added);
    return removed;
  }

  private void add(Object[] cells) {
    (form.isKeyed() ? added : inOrder).add(Change.added(cells));
  }

  private void remove(Change change) {
    (form.isKeyed() ? removed : inOrder).add(change);
  }

  /** Whether it is said which row goes; by key, a row without its key says nothing. */
  private boolean isTold(Object[] before) {
    return before != null && form.key().stream().allMatch(cell -> before[cell] != null);
  }

  private boolean sameKey(Object[] one, Object[] other) {
    return form.key().stream().allMatch(cell -> Objects.deepEquals(one[cell], other[cell]));
  }

  static Object[] required(String field, Object[] cells) {
    if (cells == null) {
      throw new FieldException(field, "the row is missing", null);
    }
    return cells;
  }

  private static FieldException missing(String field, String change, String other) {
    String reason = "the message of " + change + " lacks the row before it";
    return new FieldException(field, RecordException.withCure(reason, FULL_IMAGES + ", or " + other), null);
  }
}
