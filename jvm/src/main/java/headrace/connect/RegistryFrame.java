package headrace.connect;

import headrace.formats.RegistryAccess;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.unsafe.types.UTF8String;

/** Binary Avro behind a zero and the id of its schema, registered under a subject that may depend on the topic. */
public final class RegistryFrame implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String TOPIC = "${topic}";

  private final String settings;
  private final String subject;
  private final String schema;
  private final Map<UTF8String, Integer> ids = new ConcurrentHashMap<>();

  /** The subject has `${topic}` for the name of a record's topic. */
  RegistryFrame(String settings, String subject, String schema) {
    this.settings = settings;
    this.subject = subject;
    this.schema = schema;
  }

  public byte[] frame(UTF8String topic, byte[] avro) {
    if (avro == null) {
      return null;
    }
    int id = ids.computeIfAbsent(topic.clone(), this::registered);
    return ByteBuffer.allocate(1 + Integer.BYTES + avro.length).put((byte) 0).putInt(id).put(avro).array();
  }

  private int registered(UTF8String topic) {
    return RegistryAccess.register(settings, subject.replace(TOPIC, topic.toString()), schema);
  }

  @Override
  public String toString() {
    return "RegistryFrame(" + subject + ")";
  }
}
