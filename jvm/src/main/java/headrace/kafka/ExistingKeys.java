package headrace.kafka;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import headrace.formats.Codecs;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** The keys that a topic holds before a job first writes to it, as removals in the columns of {@link Outgoing}. */
final class ExistingKeys {
  /** Before any change of a batch: of a key that has both, the removal is the one that counts less. */
  private static final long BEFORE_ALL = -1L;

  private ExistingKeys() {}

  /** `specification`: options of Spark's Kafka source (the topic, its brokers, where it ends) and the key's format. */
  static Dataset<Row> read(SparkSession spark, String specification) {
    JsonNode node = parsed(specification);
    Dataset<Row> records = spark.read().format("kafka").options(options(node)).load();
    Column newest = struct(col("partition"), col("offset"));
    return records
        .groupBy("key")
        .agg(max_by(col("value").isNull(), newest).as("gone"), max_by(col("partition"), newest).as("partition"))
        .where(not(col("gone")))
        .select(
            col("key"),
            none(DataTypes.BinaryType.sql()).as("value"),
            lit(-1L).as("weight"),
            none(DataTypes.TimestampType.sql()).as("timestamp"),
            none(WriterSpec.HEADER_ENTRIES).as("headers"),
            none(DataTypes.StringType.sql()).as("topic"),
            // A row is deleted where it lies.
            col("partition"),
            Codecs.respell(node.get("key").toString(), col("key")).as("spelling"),
            lit(BEFORE_ALL).as("sequence"));
  }

  private static Column none(String type) {
    return lit(null).cast(type);
  }

  private static Map<String, String> options(JsonNode node) {
    Map<String, String> options = new HashMap<>();
    node.get("options").properties().forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
    return options;
  }

  private static JsonNode parsed(String specification) {
    try {
      return new ObjectMapper().readTree(specification);
    } catch (JsonProcessingException failure) {
      throw new IllegalArgumentException("the specification of existing keys is not JSON", failure);
    }
  }
}
