package headrace.connect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The JSON converter for keys or values of one schema; travels to the tasks as texts. */
public final class JsonCodec implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final UTF8String NO_SCHEMA = UTF8String.fromString("null");
  private static final UTF8String NULL_MARK = UTF8String.fromString(" null");

  private final String schema;
  private final boolean envelope;
  private final boolean numericDecimals;
  private final boolean defaultsForNulls;
  private transient volatile ConnectType type;
  private transient volatile EnvelopeStart start;
  private transient volatile JsonTokens tokens;

  /** Without a schema where it is null. */
  JsonCodec(String schema, boolean envelope, boolean numericDecimals, boolean defaultsForNulls) {
    this.schema = schema;
    this.envelope = envelope;
    this.numericDecimals = numericDecimals;
    this.defaultsForNulls = defaultsForNulls;
  }

  DataType decodedType() {
    return schema == null ? DataTypes.StringType : type().spark();
  }

  /** Bytes of the one field of a row; `typed` tells a null with a schema from a tombstone. */
  public InternalRow encode(InternalRow row, boolean typed) {
    return Outcome.of(() -> {
      if (row.isNullAt(0) && !typed) {
        return null;
      }
      try {
        return bytes(row);
      } catch (IOException unwritable) {
        throw new UncheckedIOException(unwritable);
      }
    });
  }

  private byte[] bytes(InternalRow row) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = JsonTree.MAPPER.createGenerator(out)) {
      if (envelope) {
        generator.writeStartObject();
        generator.writeFieldName("schema");
        generator.writeRawValue(schema == null ? "null" : schema);
        generator.writeFieldName("payload");
      }
      writePayload(row, generator);
      if (envelope) {
        generator.writeEndObject();
      }
    }
    return out.toByteArray();
  }

  private void writePayload(InternalRow row, JsonGenerator generator) throws IOException {
    if (schema == null) {
      generator.writeRawValue(row.getUTF8String(0).toString());
    } else {
      Object value = row.isNullAt(0) ? null : type().toConnect(row.get(0, type().spark()));
      form().write(type(), value, generator);
    }
  }

  /** The value that bytes hold. */
  public InternalRow decode(byte[] bytes) {
    return Outcome.of(() -> {
      if (bytes == null) {
        return null;
      }
      EnvelopeStart usual = start;
      if (schema != null && usual != null && usual.fits(bytes)) {
        Object value = usual.payload(bytes, tokens());
        if (value != EnvelopeStart.UNUSUAL) {
          return value;
        }
      }
      JsonNode payload = envelope ? payload(bytes) : parsed(bytes);
      return schema == null ? JsonTree.text(JsonTree.ofBytes(payload)) : type().toSpark(form().read(type(), payload));
    });
  }

  /** The text of the schema that bytes carry, which may be that of JSON's null; null for no bytes. */
  InternalRow schemaOf(byte[] bytes) {
    return Outcome.of(() -> bytes == null ? null : schemaWithin(bytes));
  }

  private static UTF8String schemaWithin(byte[] bytes) {
    return UTF8String.fromString(checked(parsed(bytes)).get("schema").toString());
  }

  /** The text of the schema, with a mark behind it where the payload is null: nulls keep schemas that others lose. */
  public InternalRow tagOf(byte[] bytes) {
    return Outcome.of(() -> bytes == null ? null : tag(bytes));
  }

  /** By the start alone where it is a usual one: what was read before must not decide what a record is found to be. */
  private UTF8String tag(byte[] bytes) {
    EnvelopeStart known = start;
    EnvelopeStart usual = known != null && known.fits(bytes) ? known : EnvelopeStart.of(bytes);
    if (usual != null) {
      start = usual;
      return marked(usual.schema(), usual.holdsNull(bytes));
    }
    JsonNode whole = checked(parsed(bytes));
    return marked(UTF8String.fromString(whole.get("schema").toString()), whole.get("payload").isNull());
  }

  private static UTF8String marked(UTF8String schema, boolean isNull) {
    return isNull && !schema.equals(NO_SCHEMA) ? UTF8String.concat(schema, NULL_MARK) : schema;
  }

  private JsonNode payload(byte[] bytes) {
    EnvelopeStart usual = start;
    JsonNode found = usual != null && usual.fits(bytes) ? usual.payload(bytes) : null;
    if (found != null) {
      return found;
    }
    JsonNode whole = checked(parsed(bytes));
    if (usual == null || !usual.fits(bytes)) {
      EnvelopeStart other = EnvelopeStart.of(bytes);
      start = other == null ? usual : other;
    }
    return whole.get("payload");
  }

  private static JsonNode parsed(byte[] bytes) {
    try {
      JsonNode node = JsonTree.MAPPER.readTree(bytes);
      return node == null || node.isMissingNode() ? JsonTree.MAPPER.nullNode() : node;
    } catch (JsonProcessingException malformed) {
      throw DataFault.causedBy("Converting byte[] to Kafka Connect data failed due to serialization error: ",
          "org.apache.kafka.common.errors.SerializationException: "
              + malformed.getClass().getName() + ": " + malformed.getOriginalMessage());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static JsonNode checked(JsonNode node) {
    if (!node.isObject() || node.size() != 2 || !node.has("schema") || !node.has("payload")) {
      throw new DataFault("JsonConverter with schemas.enable requires \"schema\" and \"payload\" fields and may not "
          + "contain additional fields. If you are trying to deserialize plain JSON data, set schemas.enable=false in "
          + "your converter configuration.");
    }
    return node;
  }

  private JsonForm form() {
    return new JsonForm(numericDecimals, defaultsForNulls);
  }

  private JsonTokens tokens() {
    if (tokens == null) {
      tokens = new JsonTokens(type(), form());
    }
    return tokens;
  }

  private ConnectType type() {
    if (type == null) {
      type = ConnectType.parse(schema);
    }
    return type;
  }

  @Override
  public String toString() {
    return "ConnectJson";
  }
}
