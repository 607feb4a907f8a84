package headrace.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Rows whose rank lies in `start`..`end` within their partition; `rank` names the column that shows it, or is null. */
record RankSpec(List<String> partition, List<Order> order, long start, long end, String rank, long ttlMillis)
    implements Serializable {

  record Order(String column, boolean descending, boolean nullsFirst) implements Serializable {}

  static RankSpec parse(String text) {
    JsonNode spec = Spec.read(text);
    List<Order> order = new ArrayList<>();
    for (JsonNode item : spec.get("order")) {
      order.add(
          new Order(item.get("column").asText(), item.get("descending").asBoolean(), item.get("nullsFirst").asBoolean()));
    }
    return new RankSpec(
        Spec.strings(spec.get("partition")),
        order,
        spec.path("start").asLong(1),
        spec.get("end").asLong(),
        spec.path("rank").asText(null),
        spec.path("ttlMillis").asLong(0));
  }
}
