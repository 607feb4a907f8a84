package headrace.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.List;

/**
 * `conflict`: which of several rows of a key counts. `ownKey`: the columns by which two rows are told from two versions of
 * one; none where rows that differ are two. `inOrder`: whether rows arrive as their source has them. `appendOnly`: whether no
 * row ever goes. `table` is the sink.
 */
record MaterializeSpec(
    List<String> keys,
    Conflict conflict,
    List<String> ownKey,
    boolean inOrder,
    boolean appendOnly,
    String table,
    boolean retract,
    long ttlMillis)
    implements Serializable {

  enum Conflict {
    DEDUPLICATE,
    NOTHING,
    ERROR
  }

  static MaterializeSpec parse(String text) {
    JsonNode spec = Spec.read(text);
    return new MaterializeSpec(
        Spec.strings(spec.get("keys")),
        Conflict.valueOf(spec.path("conflict").asText(Conflict.DEDUPLICATE.name())),
        Spec.strings(spec.path("ownKey")),
        spec.path("inOrder").asBoolean(false),
        spec.path("appendOnly").asBoolean(false),
        spec.path("table").asText(""),
        spec.get("retract").asBoolean(),
        spec.path("ttlMillis").asLong(0));
  }
}
