package headrace.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;

/** `appendOnly`: no row is ever taken away. `buckets`: how many parts DISTINCT values are split into, 0 for not at all. */
record AggregateSpec(
    List<String> keys, List<CallSpec> aggregates, boolean retract, boolean appendOnly, int buckets, long ttlMillis)
    implements Serializable {

  /**
   * `arguments` and `filter` name input columns; no argument means COUNT(*). `separator` stands between listed texts;
   * `keepsNulls`: NULLs are collected as well; `percentages` are asked of PERCENTILE.
   */
  record CallSpec(
      String name,
      String function,
      List<String> arguments,
      String filter,
      boolean distinct,
      DataType type,
      String separator,
      boolean keepsNulls,
      double[] percentages)
      implements Serializable {}

  static AggregateSpec parse(String text) {
    JsonNode spec = Spec.read(text);
    List<CallSpec> calls = new ArrayList<>();
    for (JsonNode call : spec.get("aggregates")) {
      calls.add(
          new CallSpec(
              call.get("name").asText(),
              call.get("function").asText(),
              Spec.strings(call.path("arguments")),
              call.path("filter").asText(null),
              call.path("distinct").asBoolean(false),
              DataType.fromDDL(call.get("type").asText()),
              call.path("separator").asText(null),
              call.path("keepsNulls").asBoolean(false),
              Spec.doubles(call.path("percentages"))));
    }
    return new AggregateSpec(
        Spec.strings(spec.get("keys")),
        calls,
        spec.get("retract").asBoolean(),
        spec.path("appendOnly").asBoolean(false),
        spec.path("buckets").asInt(0),
        spec.path("ttlMillis").asLong(0));
  }

  /** The input columns that any call reads, each once. */
  List<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    for (CallSpec call : aggregates) {
      names.addAll(call.arguments());
      if (call.filter() != null) {
        names.add(call.filter());
      }
    }
    return List.copyOf(names);
  }
}
