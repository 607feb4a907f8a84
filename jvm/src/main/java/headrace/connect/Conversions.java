package headrace.connect;

import java.math.BigDecimal;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Conversions of objects of Connect, by the types that they turn out to have. */
final class Conversions {
  private static final String CASTABLE = "[INT8, INT16, INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING, BYTES]";

  private static final Map<Class<?>, Object> EMPTY = Map.of(
      Boolean.class, false, Date.class, new Date(0), String.class, "", List.class, List.of(), Map.class, Map.of());
  private static final Map<Class<?>, String> KINDS = Map.of(
      Byte.class, "int8", Short.class, "int16", Integer.class, "int32", Long.class, "int64",
      Float.class, "float32", Double.class, "float64");

  private Conversions() {}

  static Map<String, Object> cast(Map<String, Object> value, Map<String, String> casts) {
    Map<String, Object> result = new HashMap<>(value);
    casts.forEach((field, type) -> result.put(field, castTo(value.get(field), type)));
    return result;
  }

  static Object castTo(Object value, String type) {
    if (value == null) {
      return null;
    }
    if (value instanceof Map || value instanceof List || value instanceof Object[]) {
      String kind = value instanceof Map ? "MAP" : value instanceof List ? "ARRAY" : "STRUCT";
      throw new DataFault(
          "Cast transformation does not support casting from " + kind + "; supported types are " + CASTABLE);
    }
    try {
      return switch (type) {
        case "string" -> toText(value);
        case "boolean" -> toBoolean(value);
        default -> value instanceof String text ? parsed(text, type) : narrowed(number(value), type);
      };
    } catch (NumberFormatException malformed) {
      throw DataFault.causedBy("Value (" + value + ") was out of range for requested data type", malformed.toString());
    }
  }

  private static boolean toBoolean(Object value) {
    return value instanceof String text ? Boolean.parseBoolean(text) : number(value).longValue() != 0;
  }

  private static String toText(Object value) {
    if (value instanceof byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    return value instanceof Date date ? TimeText.iso(date) : value.toString();
  }

  private static Number number(Object value) {
    if (value instanceof byte[]) {
      throw new DataFault("Unexpected type in Cast transformation: " + value.getClass());
    }
    return value instanceof Boolean truth ? (Number) (truth ? 1 : 0) : (Number) value;
  }

  private static Number parsed(String text, String type) {
    return switch (type) {
      case "int8" -> Byte.parseByte(text);
      case "int16" -> Short.parseShort(text);
      case "int32" -> Integer.parseInt(text);
      case "int64" -> Long.parseLong(text);
      case "float32" -> Float.parseFloat(text);
      default -> Double.parseDouble(text);
    };
  }

  private static Number narrowed(Number value, String type) {
    return switch (type) {
      case "int8" -> value.byteValue();
      case "int16" -> value.shortValue();
      case "int32" -> value.intValue();
      case "int64" -> value.longValue();
      case "float32" -> value.floatValue();
      default -> value.doubleValue();
    };
  }

  static Map<String, Object> mask(Map<String, Object> value, List<String> fields, String replacement) {
    Map<String, Object> result = new HashMap<>(value);
    fields.forEach(field -> result.put(field, masked(value.get(field), replacement)));
    return result;
  }

  static Object masked(Object value, String replacement) {
    if (value == null) {
      return null;
    }
    if (replacement != null) {
      return replaced(value, replacement);
    }
    if (value instanceof Number number) {
      return sameKind(number, BigDecimal.ZERO);
    }
    return EMPTY.entrySet().stream()
        .filter(entry -> entry.getKey().isInstance(value))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new DataFault("Cannot mask value of type: " + kind(value)));
  }

  private static Object replaced(Object value, String replacement) {
    if (value instanceof String) {
      return replacement;
    }
    if (!(value instanceof Number number)) {
      throw new DataFault("Cannot mask value of type " + kind(value) + " with custom replacement.");
    }
    try {
      return sameKind(number, new BigDecimal(replacement));
    } catch (NumberFormatException malformed) {
      String wanted = value instanceof BigDecimal ? "number" : "a number";
      throw DataFault.causedBy(
          "Unable to convert " + replacement + " (class java.lang.String) to " + wanted, malformed.toString());
    }
  }

  private static Number sameKind(Number like, BigDecimal value) {
    if (like instanceof BigDecimal) {
      return value;
    }
    return narrowed(value, KINDS.get(like.getClass()));
  }

  private static String kind(Object value) {
    return "class " + className(value);
  }

  /** Of Connect's object for a value: its maps are hash maps, which ours are not where they keep an order. */
  static String className(Object value) {
    if (value instanceof Map) {
      return HashMap.class.getName();
    }
    return value instanceof Object[] ? "org.apache.kafka.connect.data.Struct" : value.getClass().getName();
  }

  static Map<String, Object> convertTime(Map<String, Object> value, Map<String, Object> settings) {
    Map<String, Object> result = new HashMap<>(value);
    String field = (String) settings.get("field");
    result.put(field, convertTime(value.get(field), settings));
    return result;
  }

  /** Where there is no schema, dates are what JSON can carry of them: milliseconds since 1970. */
  static Object convertTime(Object value, Map<String, Object> settings) {
    if (value == null) {
      return null;
    }
    long millis = millis(value, settings);
    return switch ((String) settings.get("target")) {
      case "string" -> TimeText.of((String) settings.get("format")).format(new Date(millis));
      case "unix" -> unit(settings).convert(millis, TimeUnit.MILLISECONDS);
      case "Date" -> Math.floorDiv(millis, ConnectType.MILLIS_PER_DAY) * ConnectType.MILLIS_PER_DAY;
      case "Time" -> Math.floorMod(millis, ConnectType.MILLIS_PER_DAY);
      default -> millis;
    };
  }

  private static long millis(Object value, Map<String, Object> settings) {
    if (value instanceof Long unix) {
      return unit(settings).toMillis(unix);
    }
    if (value instanceof Date date) {
      return date.getTime();
    }
    if (value instanceof String text) {
      return parsed(text, settings);
    }
    throw new DataFault("TimestampConverter does not support " + kind(value) + " objects as timestamps");
  }

  private static long parsed(String text, Map<String, Object> settings) {
    String format = (String) settings.get("format");
    if (format.isBlank()) {
      throw new DataFault("java.lang.NullPointerException",
          "Cannot invoke \"java.text.SimpleDateFormat.parse(String)\" because \"config.format\" is null");
    }
    return TimeText.of(format).parse(text).getTime();
  }

  private static TimeUnit unit(Map<String, Object> settings) {
    return TimeUnit.valueOf((String) settings.get("unit"));
  }
}
