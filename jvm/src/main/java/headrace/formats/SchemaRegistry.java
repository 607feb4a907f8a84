package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/** The schemas of a registry, by id, and the ids of schemas, by subject. A JVM asks for each of them once. */
final class SchemaRegistry {
  private static final int NOT_FOUND = 404;
  private static final String JSON = "application/json";
  private static final Map<String, SchemaRegistry> KNOWN = new ConcurrentHashMap<>();

  private final RegistryHttp http;
  private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();

  private SchemaRegistry(JsonNode settings) {
    http = new RegistryHttp(settings);
  }

  static SchemaRegistry of(JsonNode settings) {
    return KNOWN.computeIfAbsent(settings.toString(), text -> new SchemaRegistry(settings));
  }

  /** The schema a record was written with; an id that the registry does not have is the record's fault. */
  Schema byId(int id) {
    return schemas.computeIfAbsent(id, this::fetched);
  }

  /** The id of a schema under a subject, registered there if it is not yet. */
  int register(String subject, Schema schema) {
    String text = schema.toString();
    return ids.computeIfAbsent(subject + "\n" + text, key -> registered(subject, text));
  }

  /** The version that a schema is under a subject, null where it is none of its. */
  Integer version(int id, String subject) {
    JsonNode found;
    try {
      found = http.get("/schemas/ids/" + id + "/versions");
    } catch (RegistryException failure) {
      if (failure.status == NOT_FOUND) {
        return null;
      }
      throw failure;
    }
    for (JsonNode place : found) {
      if (place.path("subject").asText().equals(subject)) {
        return place.get("version").asInt();
      }
    }
    return null;
  }

  /** By Apicurio's own API, which answers with the schema itself; null where it has none. */
  String byGlobalId(long id) {
    try {
      return http.get("/ids/globalIds/" + id).toString();
    } catch (RegistryException failure) {
      if (failure.status == NOT_FOUND) {
        return null;
      }
      throw failure;
    }
  }

  /** The global id, in Apicurio's own API, of a schema under an artifact; null where it has none and none may be made. */
  Long globalId(String artifact, JsonNode schema, boolean create) {
    try {
      String path = "/groups/default/artifacts";
      JsonNode found = create
          ? http.post(path + "?ifExists=RETURN_OR_UPDATE", artifact, schema,
              Map.of("Content-Type", JSON, "X-Registry-ArtifactType", "AVRO", "X-Registry-ArtifactId", artifact))
          : http.post(path + "/" + encoded(artifact) + "/meta?canonical=true", artifact, schema,
              Map.of("Content-Type", JSON));
      return found.get("globalId").asLong();
    } catch (RegistryException failure) {
      if (failure.status == NOT_FOUND) {
        return null;
      }
      throw failure;
    }
  }

  private Schema fetched(int id) {
    JsonNode found;
    try {
      found = http.get("/schemas/ids/" + id);
    } catch (RegistryException failure) {
      if (failure.status == NOT_FOUND) {
        throw new FieldException("schema " + id + " is not in the registry at " + http.address());
      }
      throw failure;
    }
    String type = found.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw new FieldException("schema " + id + " is of type " + type + ", not AVRO");
    }
    try {
      Schema.Parser parser = new Schema.Parser();
      parseReferences(found, parser);
      return parser.parse(found.get("schema").asText());
    } catch (SchemaParseException malformed) {
      throw new FieldException("schema " + id + " is no Avro schema: " + malformed.getMessage());
    }
  }

  /** What the schema names and another subject defines; a parser keeps the types it has seen. */
  private void parseReferences(JsonNode schema, Schema.Parser parser) {
    for (JsonNode reference : schema.path("references")) {
      String subject = encoded(reference.get("subject").asText());
      JsonNode found = http.get("/subjects/" + subject + "/versions/" + reference.get("version").asInt());
      parseReferences(found, parser);
      if (!parser.getTypes().containsKey(reference.get("name").asText())) {
        parser.parse(found.get("schema").asText());
      }
    }
  }

  private int registered(String subject, String schema) {
    JsonNode body = JsonNodeFactory.instance.objectNode().put("schema", schema);
    return http.post("/subjects/" + encoded(subject) + "/versions", subject, body).get("id").asInt();
  }

  private static String encoded(String subject) {
    // The encoding of forms writes a blank as +, which a path takes literally.
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
