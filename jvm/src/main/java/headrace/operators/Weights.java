package headrace.operators;

/** Names of the columns that travel beside a row's own; Python knows them by the same names. */
final class Weights {
  static final String WEIGHT = "__weight";
  static final String PARTITION = "__partition";
  static final String OFFSET = "__offset";
  static final String GROUP = "__group";

  private Weights() {}
}
