package headrace.functions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** JSON as Flink reads and writes it: numbers keep their digits, members are sorted by name, of equal names the last stays. */
public final class JsonDocuments {
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
      .build();
  /** A query often asks one document for several things. */
  private static final ThreadLocal<Parsed> LAST =
      ThreadLocal.withInitial(() -> new Parsed(new byte[0], MissingNode.getInstance()));

  private record Parsed(byte[] bytes, JsonNode root) {}

  private JsonDocuments() {}

  /** The value that a text begins with; a missing node where it is no JSON. What comes behind is not looked at. */
  static JsonNode root(UTF8String document) {
    byte[] bytes = document.getBytes();
    Parsed last = LAST.get();
    if (!Arrays.equals(bytes, last.bytes())) {
      // Copied: the bytes may lie in a row that the next one overwrites.
      last = new Parsed(bytes.clone(), parsed(bytes));
      LAST.set(last);
    }
    return last.root();
  }

  private static JsonNode parsed(byte[] document) {
    try {
      return JSON.readTree(document);
    } catch (IOException malformed) {
      return MissingNode.getInstance();
    }
  }

  static ArrayNode array(List<JsonNode> nodes) {
    return JSON.createArrayNode().addAll(nodes);
  }

  static UTF8String written(JsonNode node) {
    try {
      return UTF8String.fromString(JSON.writeValueAsString(node));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The elements of an array, scalars as their text and others as JSON; null for what is no array. */
  public static ArrayData elements(UTF8String array) {
    JsonNode node = root(array);
    if (!node.isArray()) {
      return null;
    }
    List<UTF8String> texts = new ArrayList<>();
    node.forEach(element -> texts.add(text(element)));
    return new GenericArrayData(texts.toArray());
  }

  private static UTF8String text(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    return node.isValueNode() ? UTF8String.fromString(node.asText()) : written(node);
  }

  /** The only element of an array that Spark wrote. */
  public static UTF8String element(UTF8String array) {
    return written(root(array).get(0));
  }

  /** JSON that goes into a document as it is; no text at all is a null, and what is no JSON fails. */
  public static UTF8String embedded(UTF8String text) {
    JsonNode node = root(text);
    if (node.isMissingNode() && text.numBytes() > 0) {
      throw ExpressionException.invalidArgument("JSON", text.toString());
    }
    return node.isMissingNode() ? null : written(node);
  }
}
