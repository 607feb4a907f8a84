package headrace.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/** `condition`: what must hold beside the equality of the keys, as Spark SQL over the columns of both sides; or null. */
record JoinSpec(Kind kind, List<String> leftKeys, List<String> rightKeys, String condition, long ttlMillis)
    implements Serializable {

  /** Whether pairs are emitted, and which side's rows are emitted for having no match (or, for SEMI, one). */
  enum Kind {
    INNER,
    LEFT,
    RIGHT,
    FULL,
    SEMI,
    ANTI;

    boolean pairs() {
      return this != SEMI && this != ANTI;
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
        spec.path("condition").asText(null),
        spec.path("ttlMillis").asLong(0));
  }
}
