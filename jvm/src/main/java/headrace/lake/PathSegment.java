package headrace.lake;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A value as part of a path. What ends a segment, or could be taken for such an end, is written as %XX of its bytes, and so
 * is the percent sign itself: no value leaves its folder, and two values never share one.
 */
public final class PathSegment implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String reserved;

  PathSegment(String delimiter) {
    this.reserved = "%/\\" + delimiter;
  }

  /** Called from generated code. */
  public UTF8String escape(UTF8String value) {
    if (value == null) {
      return null;
    }
    String text = value.toString();
    StringBuilder result = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (reserved.indexOf(letter) < 0 && !Character.isISOControl(letter)) {
        result.append(letter);
      } else {
        for (byte single : String.valueOf(letter).getBytes(StandardCharsets.UTF_8)) {
          result.append("%%%02X".formatted(single));
        }
      }
    }
    return UTF8String.fromString(result.toString());
  }

  @Override
  public String toString() {
    return "PathSegment";
  }
}
