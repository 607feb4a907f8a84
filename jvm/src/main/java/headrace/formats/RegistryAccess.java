package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;

/** A schema registry for who is not a format; settings are the JSON that formats give. */
public final class RegistryAccess {
  private RegistryAccess() {}

  /** The JSON of a schema, or null where the registry has none of this id that is Avro's. */
  public static String schema(String settings, int id) {
    try {
      return of(settings).byId(id).toString();
    } catch (FieldException unknown) {
      return null;
    }
  }

  /** The id of a schema under a subject, registered there if it is not yet. */
  public static int register(String settings, String subject, String schema) {
    return of(settings).register(subject, new Schema.Parser().parse(schema));
  }

  /** The version that a schema is under a subject, or null where it is none of its. */
  public static Integer version(String settings, int id, String subject) {
    return of(settings).version(id, subject);
  }

  /** The JSON of a schema under a global id of Apicurio's own API, or null where the registry has none. */
  public static String globalSchema(String settings, long id) {
    return of(settings).byGlobalId(id);
  }

  /** The global id of a schema under an artifact of Apicurio's, made there if asked for; null where there is none. */
  public static Long globalId(String settings, String artifact, String schema, boolean create) {
    return of(settings).globalId(artifact, json(schema), create);
  }

  private static SchemaRegistry of(String settings) {
    return SchemaRegistry.of(json(settings));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }
}
