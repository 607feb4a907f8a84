package headrace.connect;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  public UTF8String apply(UTF8String topic) {
    Matcher matcher = regex.matcher(topic.toString());
    return matcher.matches() ? UTF8String.fromString(matcher.replaceFirst(replacement)) : topic;
  }

  @Override
  public String toString() {
    return "TopicRoute(" + regex + ")";
  }
}
