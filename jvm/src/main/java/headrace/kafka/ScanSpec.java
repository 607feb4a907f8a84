package headrace.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a source reads, and from where to where.
 *
 * @param topics names, or null where `pattern` matches them whole
 * @param end null where reading never ends
 * @param discoveryMillis how long a look for topics and partitions counts; 0 where one look is enough
 * @param parallelism most tasks of a batch; 0 for one per partition
 * @param commitTo the consumer group that is told what has been read, or null
 * @param goesOn whether the job goes on with what is left when records it was to read are gone
 */
record ScanSpec(
    List<String> topics,
    Pattern pattern,
    Position start,
    Position end,
    long discoveryMillis,
    int parallelism,
    String commitTo,
    boolean goesOn) {

  static ScanSpec parse(String text) {
    try {
      JsonNode spec = new ObjectMapper().readTree(text);
      return new ScanSpec(
          names(spec.get("topics")),
          spec.hasNonNull("pattern") ? Pattern.compile(spec.get("pattern").asText()) : null,
          Position.parse(spec.get("start")),
          spec.hasNonNull("end") ? Position.parse(spec.get("end")) : null,
          spec.get("discoveryMillis").asLong(),
          spec.path("parallelism").asInt(0),
          spec.hasNonNull("commitTo") ? spec.get("commitTo").asText() : null,
          spec.get("goesOn").asBoolean());
    } catch (IOException malformed) {
      throw new IllegalArgumentException("malformed specification of a scan", malformed);
    }
  }

  /** What is read, in words. */
  String name() {
    return "Kafka " + (pattern == null ? String.join(", ", topics) : pattern);
  }

  private static List<String> names(JsonNode list) {
    if (list == null || list.isNull()) {
      return null;
    }
    List<String> names = new ArrayList<>();
    list.forEach(name -> names.add(name.asText()));
    return names;
  }
}
