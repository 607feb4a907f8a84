package headrace.sinks;

import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import scala.collection.Map;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A cell as Flink prints it: Java's own text of times and numbers, brackets around collections, `+I` on nested rows. */
final class CellText {
  private CellText() {}

  static String of(Object cell) {
    if (cell instanceof Timestamp instant) {
      return instant.toInstant().toString();
    }
    if (cell instanceof Date day) {
      return day.toLocalDate().toString();
    }
    if (cell instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    if (cell instanceof Row row) {
      return "+I" + ofAll(row.toSeq());
    }
    if (cell instanceof Seq<?> elements) {
      return ofAll(elements).toString();
    }
    return cell instanceof Map<?, ?> map ? ofMap(map) : String.valueOf(cell);
  }

  private static List<String> ofAll(Seq<?> cells) {
    List<String> texts = new ArrayList<>();
    CollectionConverters.asJava(cells).forEach(cell -> texts.add(of(cell)));
    return texts;
  }

  private static String ofMap(Map<?, ?> map) {
    return CollectionConverters.asJava(map).entrySet().stream()
        .map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
