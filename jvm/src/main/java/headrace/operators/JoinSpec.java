package headrace.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * `nullSafe`: the left keys of pairs in which NULL equals NULL. `condition`: what must hold beside the equality of the keys, as Spark SQL over the columns of both sides; or null.
 * `mark` names the column by which a MARK join says whether a row has a match.
 */
record JoinSpec(
    Kind kind,
    List<String> leftKeys,
    List<String> rightKeys,
    List<String> nullSafe,
    String condition,
    String mark,
    long leftTtlMillis,
    long rightTtlMillis)
    implements Serializable {

  /** Places of the keys whose NULLs match nothing. */
  int[] strictKeys() {
    return IntStream.range(0, leftKeys.size()).filter(key -> !nullSafe.contains(leftKeys.get(key))).toArray();
  }

  /** The longer of the two; 0 where nothing expires. */
  long ttlMillis() {
    return Math.max(leftTtlMillis, rightTtlMillis);
  }

  /** Whether pairs are emitted, and which side's rows are emitted for having no match (or, for SEMI, one; for MARK either way). */
  enum Kind {
    INNER,
    LEFT,
    RIGHT,
    FULL,
    SEMI,
    ANTI,
    MARK;

    boolean pairs() {
      return this != SEMI && this != ANTI && this != MARK;
    }

    boolean keepsLeft() {
      return this == LEFT || this == FULL;
    }

    boolean keepsRight() {
      return this == RIGHT || this == FULL;
    }
  }

  static JoinSpec parse(String text) {
    JsonNode spec = Spec.read(text);
    return new JoinSpec(
        Kind.valueOf(spec.get("kind").asText().toUpperCase(Locale.ROOT)),
        Spec.strings(spec.get("leftKeys")),
        Spec.strings(spec.get("rightKeys")),
        Spec.strings(spec.path("nullSafe")),
        spec.path("condition").asText(null),
        spec.path("mark").asText(null),
        spec.path("leftTtlMillis").asLong(0),
        spec.path("rightTtlMillis").asLong(0));
  }
}
