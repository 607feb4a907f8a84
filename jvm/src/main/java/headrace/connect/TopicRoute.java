package headrace.connect;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Other names for topics that match as a whole. */
public final class TopicRoute implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Pattern regex;
  private final String replacement;

  TopicRoute(String regex, String replacement) {
    this.regex = Pattern.compile(regex);
    this.replacement = replacement;
  }

  public InternalRow apply(UTF8String topic) {
    return Outcome.of(() -> {
      Matcher matcher = regex.matcher(topic.toString());
      return matcher.matches() ? UTF8String.fromString(replaced(matcher)) : topic;
    });
  }

  private String replaced(Matcher matcher) {
    try {
      return matcher.replaceFirst(replacement);
    } catch (IllegalArgumentException | IndexOutOfBoundsException noSuchGroup) {
      throw new DataFault(noSuchGroup.getClass().getName(), noSuchGroup.getMessage());
    }
  }

  @Override
  public String toString() {
    return "TopicRoute(" + regex + ")";
  }
}
