package headrace.connect;

import headrace.formats.RegistryAccess;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.unsafe.types.UTF8String;

/** Binary Avro behind a zero and the id of its schema, which is named by a text that may depend on the topic. */
public final class RegistryFrame implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String TOPIC = "${topic}";
  private static final byte[] UNKNOWN = {};

  /** What the name is of: a subject, or an artifact of Apicurio's, which has global ids and may have to be there. */
  enum Naming {
    SUBJECT,
    ARTIFACT,
    NEW_ARTIFACT
  }

  private final String settings;
  private final Naming naming;
  private final String name;
  private final String schema;
  private final Map<UTF8String, byte[]> heads = new ConcurrentHashMap<>();

  /** The name has `${topic}` for the name of a record's topic. */
  RegistryFrame(String settings, Naming naming, String name, String schema) {
    this.settings = settings;
    this.naming = naming;
    this.name = name;
    this.schema = schema;
  }

  /** Null also where the registry has no such schema and is not to be given it. */
  public byte[] frame(UTF8String topic, byte[] avro) {
    if (avro == null) {
      return null;
    }
    byte[] head = heads.computeIfAbsent(topic.clone(), this::head);
    return head == UNKNOWN ? null : ByteBuffer.allocate(head.length + avro.length).put(head).put(avro).array();
  }

  private byte[] head(UTF8String topic) {
    String named = name.replace(TOPIC, topic.toString());
    if (naming == Naming.SUBJECT) {
      int id = RegistryAccess.register(settings, named, schema);
      return ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 0).putInt(id).array();
    }
    Long id = RegistryAccess.globalId(settings, named, schema, naming == Naming.NEW_ARTIFACT);
    return id == null ? UNKNOWN : ByteBuffer.allocate(1 + Long.BYTES).put((byte) 0).putLong(id).array();
  }

  @Override
  public String toString() {
    return "RegistryFrame(" + name + ")";
  }
}
