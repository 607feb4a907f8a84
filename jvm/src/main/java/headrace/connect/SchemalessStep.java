package headrace.connect;

import java.io.Serializable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** What a transform does to a value without a schema; travels to the tasks as its name and the JSON of its settings. */
public final class SchemalessStep implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String step;
  private final String settings;
  private transient volatile Map<String, Object> read;

  SchemalessStep(String step, String settings) {
    this.step = step;
    this.settings = settings;
  }

  public InternalRow apply(UTF8String text, UTF8String more) {
    return Outcome.of(() -> JsonTree.text(result(JsonTree.ofText(text), JsonTree.ofText(more))));
  }

  private Object result(Object value, Object more) {
    return switch (step) {
      case "cast" -> Conversions.cast(map(value), setting("casts"));
      case "castWhole" -> Conversions.castTo(value, setting("type"));
      case "convertTime" -> Conversions.convertTime(map(value), read());
      case "convertWholeTime" -> Conversions.convertTime(value, read());
      case "extract" -> extract(value, setting("path"));
      case "flatten" -> flatten(map(value), "", new LinkedHashMap<>());
      case "hoist" -> hoist(value, setting("field"));
      case "mask" -> Conversions.mask(map(value), setting("fields"), (String) read().get("replacement"));
      case "merge" -> merge(map(value), map(more));
      case "pick" -> pick(map(value), setting("fields"));
      case "remove" -> remove(map(value), setting("fields"));
      case "replace" -> replace(map(value));
      default -> throw new IllegalArgumentException(step);
    };
  }

  private static Map<String, Object> hoist(Object value, String field) {
    Map<String, Object> result = new HashMap<>();
    result.put(field, value);
    return result;
  }

  private static Map<String, Object> merge(Map<String, Object> value, Map<String, Object> more) {
    Map<String, Object> result = new HashMap<>(value);
    // One by one, as Connect does: a map that is told how many will come orders them otherwise.
    more.forEach(result::put);
    return result;
  }

  private static Map<String, Object> pick(Map<String, Object> value, List<String> fields) {
    Map<String, Object> result = new HashMap<>();
    fields.forEach(field -> result.put(field, value.get(field)));
    return result;
  }

  private static Map<String, Object> remove(Map<String, Object> value, List<String> fields) {
    Map<String, Object> result = new HashMap<>(value);
    fields.forEach(result::remove);
    return result;
  }

  private Map<String, Object> replace(Map<String, Object> value) {
    List<String> include = setting("include");
    List<String> exclude = setting("exclude");
    Map<String, String> renames = setting("renames");
    Map<String, Object> result = new HashMap<>(value.size());
    value.forEach((name, content) -> {
      if (!exclude.contains(name) && (include.isEmpty() || include.contains(name))) {
        result.put(renames.getOrDefault(name, name), content);
      }
    });
    return result;
  }

  private Object extract(Object value, List<String> path) {
    Object current = value;
    for (int i = 0; i < path.size(); i++) {
      if (current == null) {
        return null;
      }
      current = map(current, i == 0 ? setting("purpose") : "nested field access").get(path.get(i));
    }
    return current;
  }

  private Map<String, Object> flatten(Map<String, Object> value, String prefix, Map<String, Object> result) {
    value.forEach((name, content) -> {
      String path = prefix.isEmpty() ? name : prefix + setting("delimiter") + name;
      if (content instanceof Map) {
        flatten(map(content), path, result);
      } else {
        result.put(path, content);
      }
    });
    return result;
  }

  private Map<String, Object> map(Object value) {
    return map(value, setting("purpose"));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value, String purpose) {
    if (value instanceof Map) {
      return (Map<String, Object>) value;
    }
    String found = value == null ? "null" : Conversions.className(value);
    throw new DataFault("Only Map objects supported in absence of schema for [" + purpose + "], found: " + found);
  }

  @SuppressWarnings("unchecked")
  private <T> T setting(String name) {
    return (T) read().get(name);
  }

  private Map<String, Object> read() {
    if (read == null) {
      read = Settings.read(settings);
    }
    return read;
  }

  @Override
  public String toString() {
    return "ConnectStep(" + step + ")";
  }
}
