package headrace.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import headrace.formats.Codecs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.python.UserDefinedPythonFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.jdk.javaapi.CollectionConverters;

/** What the writer is told about its table, and the columns of {@link Outgoing} that follow from it. */
final class WriterSpec {
  static final String HEADER_ENTRIES = "array<struct<key: string, value: binary>>";
  private static final String HEADER_MAP = "map<string, binary>";

  final Destination destination;
  final Map<String, String> properties = new HashMap<>();
  final boolean upsert;
  /** Of a format that writes changes; null where rows only come, or a removal is a tombstone. */
  final Envelope envelope;
  /** Whether several changes of a key are made one record, and whether they must be brought together first. */
  final boolean fold;
  final boolean sort;
  final int parallelism;
  /** How many keys a task holds back before it writes their last changes; 0 for none. */
  final int bufferedKeys;
  private final JsonNode node;

  WriterSpec(String json) {
    try {
      node = new ObjectMapper().readTree(json);
    } catch (JsonProcessingException failure) {
      throw new IllegalArgumentException("the writer's specification is not JSON", failure);
    }
    node.get("properties").properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
    upsert = node.get("upsert").asBoolean();
    destination = new Destination(
        texts(node.get("topics")), node.path("pattern").asText(null), node.get("fixedPartition").asBoolean());
    parallelism = node.path("parallelism").asInt(0);
    bufferedKeys = node.get("bufferedKeys").asInt();
    String changes = node.get("changes").asText();
    envelope = Envelope.of(node.get("value").get("spec").path("envelope"));
    fold = (upsert || (envelope != null && keyed())) && !changes.equals("single");
    sort = fold && (changes.equals("scattered") || parallelism > 0);
  }

  boolean keyed() {
    return node.hasNonNull("key");
  }

  /** A removal that is not folded becomes a tombstone, so its value need not be encoded. */
  Dataset<Row> records(Dataset<Row> rows, boolean folding, UserDefinedPythonFunction partitioner) {
    Column weight = functions.col("`" + node.get("weight").asText() + "`").cast(DataTypes.LongType);
    Column value = encoded("value");
    boolean tombstones = upsert && !folding;
    Dataset<Row> records = rows.select(
        encoded("key").as("key"),
        (tombstones ? functions.when(weight.geq(0), value) : value).as("value"),
        weight.as("weight"),
        optional("timestamp", DataTypes.TimestampType.sql()).as("timestamp"),
        headers().as("headers"),
        optional("topicColumn", DataTypes.StringType.sql()).as("topic"),
        functions.lit(null).cast(DataTypes.IntegerType).as("partition"));
    return partitioner == null ? records : records.withColumn("partition", chosen(partitioner));
  }

  private Column chosen(UserDefinedPythonFunction partitioner) {
    Column row = functions.col("value");
    Column value = envelope == null ? row : envelope.around(row, functions.col("weight"));
    List<Column> inputs = List.of(functions.col("key"), value, partitions());
    return partitioner.apply(CollectionConverters.asScala(inputs).toSeq());
  }

  /** Those of the record's topic. */
  private Column partitions() {
    JsonNode counts = node.get("partitions");
    if (!node.hasNonNull("topicColumn")) {
      return functions.lit(counts.elements().next().asInt());
    }
    Column count = functions.lit(null).cast(DataTypes.IntegerType);
    for (Map.Entry<String, JsonNode> topic : counts.properties()) {
      count = functions.when(functions.col("topic").equalTo(topic.getKey()), topic.getValue().asInt()).otherwise(count);
    }
    return count;
  }

  private Column encoded(String part) {
    if (!node.hasNonNull(part)) {
      return functions.lit(null).cast(DataTypes.BinaryType);
    }
    List<Column> fields = new ArrayList<>();
    for (JsonNode field : node.get(part).get("columns")) {
      fields.add(column(field.get(0)).cast(field.get(2).asText()).as(field.get(1).asText()));
    }
    return Codecs.encode(node.get(part).get("spec").toString(), functions.struct(fields.toArray(new Column[0])));
  }

  private Column headers() {
    if (node.hasNonNull("headers")) {
      return functions.map_entries(optional("headers", HEADER_MAP));
    }
    return optional("headerList", HEADER_ENTRIES);
  }

  private Column optional(String name, String type) {
    return (node.hasNonNull(name) ? column(node.get(name)) : functions.lit(null)).cast(type);
  }

  private static Column column(JsonNode name) {
    return functions.col("`" + name.asText().replace("`", "``") + "`");
  }

  private static List<String> texts(JsonNode items) {
    List<String> texts = new ArrayList<>();
    items.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
