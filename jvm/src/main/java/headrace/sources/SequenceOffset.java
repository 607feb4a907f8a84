package headrace.sources;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** How many rows have been given out, and the seed of their random values. */
final class SequenceOffset extends Offset {
  private static final Pattern FORM = Pattern.compile("\\{\"rows\":(\\d+),\"seed\":(-?\\d+)\\}");

  final long rows;
  final long seed;

  SequenceOffset(long rows, long seed) {
    this.rows = rows;
    this.seed = seed;
  }

  static SequenceOffset parse(String json) {
    Matcher parts = FORM.matcher(json);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not an offset of a sequence: " + json);
    }
    return new SequenceOffset(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
  }

  @Override
  public String json() {
    return "{\"rows\":" + rows + ",\"seed\":" + seed + "}";
  }
}
