import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.transforms.Transformation;
import org.apache.kafka.connect.transforms.predicates.Predicate;

/** What Kafka's own converters, predicates and transforms make of records: a case a line in, its answers a line out. */
public final class RecordsOfKafka {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Sources and sinks have records of two classes, which the types of transforms tell apart. */
  @SuppressWarnings({"rawtypes", "unchecked"})
  private record Stage(String alias, Transformation transform, Predicate predicate, boolean negate) {
    ConnectRecord<?> apply(ConnectRecord<?> record) {
      boolean chosen = predicate == null || negate ^ predicate.test(record);
      return chosen ? transform.apply(record) : record;
    }
  }

  private record Converters(Converter key, Converter value, HeaderConverter headers) {}

  /** What was being done to a record when it failed. */
  private static final class Failed extends Exception {
    private static final long serialVersionUID = 1L;
    private final String stage;

    Failed(String stage, Throwable cause) {
      super(cause);
      this.stage = stage;
    }
  }

  private interface Work<T> {
    T run() throws Exception;
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(JSON.writeValueAsString(answers(JSON.readTree(line))));
    }
  }

  private static JsonNode answers(JsonNode given) {
    Converters read;
    Converters write;
    List<Stage> chain;
    try {
      read = converters(map(given.get("read")));
      write = converters(map(given.get("write")));
      chain = chain(map(given.get("chain")));
    } catch (ReflectiveOperationException | RuntimeException refused) {
      return JSON.createObjectNode().set("refused", causes(refused));
    }
    ArrayNode result = JSON.createArrayNode();
    given.get("messages").forEach(message -> result.add(answer(message, given.get("sink").asBoolean(), read, chain, write)));
    return result;
  }

  private static ObjectNode answer(JsonNode message, boolean sink, Converters read, List<Stage> chain, Converters write) {
    try {
      ConnectRecord<?> record = transformed(record(message, sink, read), chain);
      return record == null ? JSON.createObjectNode().put("dropped", true) : written(record, write);
    } catch (Failed failed) {
      ObjectNode result = JSON.createObjectNode().put("stage", failed.stage);
      result.set("error", causes(failed.getCause()));
      return result;
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static ConnectRecord<?> record(JsonNode message, boolean sink, Converters read) throws Failed, IOException {
    String topic = message.get("topic").textValue();
    byte[] keyBytes = bytes(message.get("key"));
    byte[] valueBytes = bytes(message.get("value"));
    SchemaAndValue key = within("KEY_CONVERTER", () -> read.key().toConnectData(topic, keyBytes));
    SchemaAndValue value = within("VALUE_CONVERTER", () -> read.value().toConnectData(topic, valueBytes));
    Headers headers = within("HEADER_CONVERTER", () -> headers(topic, message.get("headers"), read.headers()));
    Long time = message.get("timestamp").isNull() ? null : message.get("timestamp").longValue();
    int partition = message.get("partition").intValue();
    if (sink) {
      return new SinkRecord(topic, partition, key.schema(), key.value(), value.schema(), value.value(),
          message.get("offset").longValue(), time, TimestampType.CREATE_TIME, headers);
    }
    return new SourceRecord(Map.of(), Map.of(), topic, partition, key.schema(), key.value(), value.schema(),
        value.value(), time, headers);
  }

  private static Headers headers(String topic, JsonNode given, HeaderConverter converter) throws IOException {
    Headers result = new ConnectHeaders();
    for (JsonNode header : given) {
      String name = header.get(0).textValue();
      SchemaAndValue value = converter.toConnectHeader(topic, name, bytes(header.get(1)));
      result.add(name, value);
    }
    return result;
  }

  private static ConnectRecord<?> transformed(ConnectRecord<?> record, List<Stage> chain) throws Failed {
    ConnectRecord<?> current = record;
    for (Stage stage : chain) {
      ConnectRecord<?> before = current;
      current = within("TRANSFORMATION/" + stage.alias(), () -> stage.apply(before));
      if (current == null) {
        return null;
      }
    }
    return current;
  }

  private static ObjectNode written(ConnectRecord<?> record, Converters write) throws Failed {
    String topic = record.topic();
    ArrayNode headers = JSON.createArrayNode();
    for (Header header : record.headers()) {
      byte[] bytes = within("HEADER_CONVERTER", () ->
          write.headers().fromConnectHeader(topic, header.key(), header.schema(), header.value()));
      headers.add(JSON.createArrayNode().add(header.key()).add(bytes));
    }
    byte[] key = within("KEY_CONVERTER", () ->
        write.key().fromConnectData(topic, record.keySchema(), record.key()));
    byte[] value = within("VALUE_CONVERTER", () ->
        write.value().fromConnectData(topic, record.valueSchema(), record.value()));
    ObjectNode result = JSON.createObjectNode().put("topic", topic).put("key", key).put("value", value);
    result.set("headers", headers);
    return result;
  }

  private static <T> T within(String stage, Work<T> work) throws Failed {
    try {
      return work.run();
    } catch (Exception thrown) {
      throw new Failed(stage, thrown);
    }
  }

  /** The exception's class and message, then those of its causes. */
  private static ArrayNode causes(Throwable thrown) {
    ArrayNode result = JSON.createArrayNode();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      result.add(each.getClass().getName()).add(each.getMessage());
    }
    return result;
  }

  private static Converters converters(Map<String, String> config) throws ReflectiveOperationException {
    Converter key = made(config.get("key.converter"));
    key.configure(under(config, "key.converter."), true);
    Converter value = made(config.get("value.converter"));
    value.configure(under(config, "value.converter."), false);
    HeaderConverter headers = made(config.get("header.converter"));
    Map<String, String> own = under(config, "header.converter.");
    own.put("converter.type", "header");
    headers.configure(own);
    return new Converters(key, value, headers);
  }

  private static List<Stage> chain(Map<String, String> config) throws ReflectiveOperationException {
    List<Stage> result = new ArrayList<>();
    for (String alias : config.getOrDefault("transforms", "").split(",")) {
      if (!alias.isEmpty()) {
        result.add(stage(alias, under(config, "transforms." + alias + "."), config));
      }
    }
    return result;
  }

  private static Stage stage(String alias, Map<String, String> own, Map<String, String> config)
      throws ReflectiveOperationException {
    Transformation<?> transform = made(own.get("type"));
    transform.configure(own);
    if (!own.containsKey("predicate")) {
      return new Stage(alias, transform, null, false);
    }
    Map<String, String> settings = under(config, "predicates." + own.get("predicate") + ".");
    Predicate<?> predicate = made(settings.get("type"));
    predicate.configure(settings);
    return new Stage(alias, transform, predicate, Boolean.parseBoolean(own.get("negate")));
  }

  @SuppressWarnings("unchecked")
  private static <T> T made(String name) throws ReflectiveOperationException {
    return (T) Class.forName(name).getDeclaredConstructor().newInstance();
  }

  private static Map<String, String> under(Map<String, String> config, String prefix) {
    Map<String, String> result = new HashMap<>();
    config.forEach((name, value) -> {
      if (name.startsWith(prefix)) {
        result.put(name.substring(prefix.length()), value);
      }
    });
    return result;
  }

  private static Map<String, String> map(JsonNode node) {
    Map<String, String> result = new HashMap<>();
    node.properties().forEach(entry -> result.put(entry.getKey(), entry.getValue().textValue()));
    return result;
  }

  private static byte[] bytes(JsonNode node) throws IOException {
    return node.isNull() ? null : node.binaryValue();
  }

  private RecordsOfKafka() {}
}
