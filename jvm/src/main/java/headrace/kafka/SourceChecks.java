package headrace.kafka;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/** What only Java knows about the options of a source. An answer of null means that nothing is wrong. */
public final class SourceChecks {
  private SourceChecks() {}

  /** What is wrong with a regular expression. */
  public static String patternFault(String pattern) {
    try {
      Pattern.compile(pattern);
      return null;
    } catch (PatternSyntaxException fault) {
      return fault.getDescription();
    }
  }

  /** `missing`, `other` (no deserializer) or `not bytes`. */
  public static String deserializerFault(String name) {
    try {
      Class<?> found = Class.forName(name, false, Utils.getContextOrKafkaClassLoader());
      if (!Deserializer.class.isAssignableFrom(found)) {
        return "other";
      }
      return givesOther(found) ? "not bytes" : null;
    } catch (ClassNotFoundException missing) {
      return "missing";
    }
  }

  /** Whether the class or one it extends declares to give something that is not bytes. */
  private static boolean givesOther(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Type face : at.getGenericInterfaces()) {
        if (face instanceof ParameterizedType made && made.getRawType() == Deserializer.class) {
          return made.getActualTypeArguments()[0] != byte[].class;
        }
      }
    }
    return false;
  }
}
