package headrace.formats;

/** The characters that structure a CSV record; {@link #NONE} stands for one that is switched off. */
record CsvOptions(
    char delimiter,
    int quote,
    int escape,
    String elementDelimiter,
    String nullLiteral,
    boolean allowComments,
    boolean trimSpaces) {
  static final int NONE = -1;

  static CsvOptions of(FormatSpec format) {
    return new CsvOptions(
        format.text("field-delimiter").charAt(0),
        format.flag("disable-quote-character") ? NONE : character(format.text("quote-character")),
        character(format.text("escape-character")),
        format.text("array-element-delimiter"),
        format.text("null-literal"),
        format.flag("allow-comments"),
        format.flag("trim-spaces"));
  }

  private static int character(String text) {
    return text == null ? NONE : text.charAt(0);
  }

  boolean isNull(String text) {
    return text.equals(nullLiteral);
  }

  /** What a NULL is written as. */
  String nullText() {
    return nullLiteral == null ? "" : nullLiteral;
  }
}
