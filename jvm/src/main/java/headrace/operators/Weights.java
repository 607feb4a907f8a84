package headrace.operators;

/** Names of the columns that travel beside a row's own; Python knows the first three by the same names. */
final class Weights {
  static final String WEIGHT = "__weight";
  static final String PARTITION = "__partition";
  static final String OFFSET = "__offset";
  /** A packed row, and the packed columns it is grouped by. */
  static final String ROW = "__row";
  static final String KEY = "__key";
  /** Which side of a join a row is of. */
  static final String IS_LEFT = "__is_left";
  /** What a task knows of a group before the shuffle. */
  static final String PARTIAL = "__partial";
  static final String VALUES = "__values";
  /** Where that stands in the order of arrival. */
  static final String PLACE = "__place";
  /** Which branch of a query a row is of, and which task fetched it. */
  static final String BRANCH = "__branch";
  static final String TASK = "__task";

  private Weights() {}
}
