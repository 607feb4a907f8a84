package headrace.connect;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Settings of a step, which travel as JSON. */
final class Settings {
  private Settings() {}

  static Map<String, Object> read(String json) {
    try {
      return JsonTree.MAPPER.readValue(json, new TypeReference<Map<String, Object>>() {});
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }
}
