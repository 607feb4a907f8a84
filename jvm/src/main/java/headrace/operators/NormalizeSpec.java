package headrace.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.List;

/** `retract`: whether the row replaced is emitted too; without it a change is the new row alone. */
record NormalizeSpec(List<String> keys, boolean retract, long ttlMillis) implements Serializable {
  static NormalizeSpec parse(String text) {
    JsonNode spec = Spec.read(text);
    return new NormalizeSpec(
        Spec.strings(spec.get("keys")), spec.get("retract").asBoolean(), spec.path("ttlMillis").asLong(0));
  }
}
