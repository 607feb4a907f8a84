package headrace.functions;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Regular expressions of Java. What is none, and a group that it does not have, gives null instead of failing. */
public final class Regexps {
  private static final ThreadLocal<RecentlyUsed<Pattern>> COMPILED =
      ThreadLocal.withInitial(() -> new RecentlyUsed<>(Pattern::compile));

  private Regexps() {}

  public static boolean matches(UTF8String text, UTF8String regex) {
    return regex.numBytes() > 0 && Boolean.TRUE.equals(matched(text, regex, Matcher::find));
  }

  public static UTF8String extract(UTF8String text, UTF8String regex, int group) {
    return matched(text, regex, found -> has(found, group) && found.find() ? group(found, group) : null);
  }

  public static ArrayData extractAll(UTF8String text, UTF8String regex, int group) {
    return matched(text, regex, found -> has(found, group) ? all(found, group) : null);
  }

  public static Integer count(UTF8String text, UTF8String regex) {
    return matched(text, regex, found -> (int) found.results().count());
  }

  /** Where the first match begins, from 1, or 0. */
  public static Integer position(UTF8String text, UTF8String regex) {
    return matched(text, regex, found -> found.find() ? found.start() + 1 : 0);
  }

  /** The replacement means its text, not groups of the expression. */
  public static UTF8String replace(UTF8String text, UTF8String regex, UTF8String replacement) {
    String plain = Matcher.quoteReplacement(replacement.toString());
    return matched(text, regex, found -> UTF8String.fromString(found.replaceAll(plain)));
  }

  private static <T> T matched(UTF8String text, UTF8String regex, Function<Matcher, T> answer) {
    try {
      return answer.apply(COMPILED.get().of(regex.toString()).matcher(text.toString()));
    } catch (PatternSyntaxException none) {
      return null;
    }
  }

  private static boolean has(Matcher matcher, int group) {
    return group >= 0 && group <= matcher.groupCount();
  }

  private static UTF8String group(Matcher found, int group) {
    return UTF8String.fromString(found.group(group));
  }

  private static ArrayData all(Matcher found, int group) {
    return new GenericArrayData(
        found.results().map(match -> UTF8String.fromString(match.group(group))).toArray());
  }
}
