package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The format of a record's key or value: its name, its options, and its fields in the order they were declared. */
final class FormatSpec {
  final String format;
  final String part;
  final List<Field> fields = new ArrayList<>();
  /** What columns ask of a message beside its rows; see {@link MessageMetadata}. */
  final List<JsonNode> metadata = new ArrayList<>();
  private final JsonNode options;

  FormatSpec(JsonNode node) {
    format = node.get("format").asText();
    part = node.get("part").asText();
    options = node.get("options");
    for (JsonNode field : node.get("fields")) {
      FieldType type = FieldType.parse(field.get("type"));
      fields.add(new Field(field.get("name").asText(), type, field.path("cell").asInt(Field.UNREAD)));
    }
    node.path("metadata").forEach(metadata::add);
  }

  boolean flag(String option) {
    return options.path(option).asBoolean(false);
  }

  /** An option's text, or null where the option has neither a value nor a default. */
  String text(String option) {
    JsonNode value = options.path(option);
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }

  JsonNode node(String option) {
    return options.path(option);
  }

  boolean ignoresParseErrors() {
    return flag("ignore-parse-errors");
  }

  RecordReader reader() {
    return switch (format) {
      case "json" -> new JsonRecordReader(this);
      case "csv" -> new CsvRecordReader(this);
      case "avro" -> new AvroRecordReader(this);
      case "avro-confluent" -> new RegistryRecordReader(this);
      case "protobuf" -> new ProtobufRecordReader(this);
      case "raw" -> new RawRecordReader(this);
      default -> throw new IllegalArgumentException("no reader for format " + format);
    };
  }

  /** Null for a format whose records are rows, not changes. */
  ChangeReader changes(ChangeForm form) {
    return switch (format) {
      case "debezium-avro-confluent" -> new DebeziumAvroReader(this, form);
      case "debezium-json" -> BeforeAfterReader.debezium(this, form);
      case "ogg-json" -> BeforeAfterReader.ogg(this, form);
      case "canal-json" -> new CanalReader(this, form);
      case "maxwell-json" -> new MaxwellReader(this, form);
      default -> null;
    };
  }

  /** Of the rows; the message around a row is the same for all of them. */
  RecordWriter writer() {
    return switch (format) {
      case "json", "debezium-json", "ogg-json", "canal-json", "maxwell-json" -> new JsonRecordWriter(this);
      case "csv" -> new CsvRecordWriter(this);
      case "avro" -> new AvroRecordWriter(this);
      case "avro-confluent" -> RegistryRecordWriter.ofRows(this);
      case "debezium-avro-confluent" -> RegistryRecordWriter.ofImages(this);
      case "protobuf" -> new ProtobufRecordWriter(this);
      case "raw" -> new RawRecordWriter(this);
      default -> throw new IllegalArgumentException("no writer for format " + format);
    };
  }
}
