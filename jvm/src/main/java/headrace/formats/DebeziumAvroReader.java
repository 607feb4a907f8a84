package headrace.formats;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads Debezium's messages in Avro, with schemas of a registry; what they say beside the rows is passed over. */
final class DebeziumAvroReader implements ChangeReader {
  private static final String BEFORE = "before";
  private static final String AFTER = "after";
  private static final String OPERATION = "op";

  private final SchemaRegistry registry;
  private final List<Field> fields;
  private final Schema expected;
  private final ChangeForm form;
  private final Map<Integer, Message> byId = new ConcurrentHashMap<>();

  DebeziumAvroReader(FormatSpec format, ChangeForm form) {
    registry = SchemaRegistry.of(format.node("registry"));
    fields = format.fields;
    this.form = form;
    Schema message = new Schema.Parser().parse(format.text("schema"));
    Schema after = AvroValues.within(message, Schema.Type.RECORD).getField(AFTER).schema();
    expected = AvroValues.within(after, Schema.Type.RECORD);
  }

  @Override
  public List<Change> read(byte[] record) throws IOException {
    if (record == null || record.length == 0) {
      return List.of();
    }
    int id = RegistryRecordReader.schemaId(record);
    Message message = byId.computeIfAbsent(id, this::resolved);
    return message.read(new AvroBytes(record, RegistryRecordReader.HEADER_BYTES));
  }

  private Message resolved(int id) {
    Schema written = registry.byId(id);
    if (AvroValues.within(written, Schema.Type.RECORD) == null) {
      throw new FieldException("schema " + id + " is a " + written.getType().getName() + ", not a record");
    }
    return new Message(written);
  }

  /** The readers for the messages of one schema. */
  private final class Message {
    private final AvroValues values = new AvroValues();
    private final AvroValue whole;

    Message(Schema written) {
      whole = optional(written, this::envelope);
    }

    @SuppressWarnings("unchecked") // what the envelope's reader gives
    List<Change> read(AvroInput input) throws IOException {
      List<Change> changes = (List<Change>) whole.read(input);
      return changes == null ? List.of() : changes;
    }

    /** What a record is read as, or null from the other branch of a union around it. */
    private AvroValue optional(Schema written, Function<Schema, AvroValue> record) {
      if (written.getType() == Schema.Type.RECORD) {
        return record.apply(written);
      }
      if (written.getType() != Schema.Type.UNION) {
        AvroValue skip = values.skip(written);
        return input -> {
          skip.read(input);
          return null;
        };
      }
      AvroValue[] branches = written.getTypes().stream().map(b -> optional(b, record)).toArray(AvroValue[]::new);
      return input -> {
        int branch = input.branch();
        if (branch < 0 || branch >= branches.length) {
          throw new FieldException("a union of " + branches.length + " has no branch " + branch);
        }
        return branches[branch].read(input);
      };
    }

    private AvroValue envelope(Schema written) {
      String[] names = written.getFields().stream().map(Schema.Field::name).toArray(String[]::new);
      AvroValue[] readers =
          written.getFields().stream().map(f -> reader(f.name(), f.schema())).toArray(AvroValue[]::new);
      return input -> {
        Object[] before = null;
        Object[] after = null;
        Object operation = null;
        for (int i = 0; i < names.length; i++) {
          Object found = AvroValues.named(readers[i], names[i], input);
          switch (names[i]) {
            case BEFORE -> before = (Object[]) found;
            case AFTER -> after = (Object[]) found;
            case OPERATION -> operation = found;
            default -> { }
          }
        }
        return changes(before, after, (UTF8String) operation);
      };
    }

    private AvroValue reader(String name, Schema written) {
      return switch (name) {
        case BEFORE, AFTER -> optional(written, this::image);
        case OPERATION -> values.of(written, FieldType.string(), null);
        default -> values.skip(written);
      };
    }

    private AvroValue image(Schema written) {
      AvroRecord row = new AvroRecord(values, written, fields, expected);
      return input -> {
        Object[] cells = new Object[form.width()];
        row.read(input, cells);
        return cells;
      };
    }
  }

  private List<Change> changes(Object[] before, Object[] after, UTF8String operation) {
    ChangeList changes = new ChangeList(form);
    switch (String.valueOf(operation)) {
      case "c", "r" -> changes.insert(AFTER, after);
      case "u" -> changes.update(BEFORE, before, AFTER, after);
      case "d" -> changes.delete(BEFORE, before);
      default -> throw new FieldException(
          OPERATION, "'" + operation + "' is no operation, expected one of c, r, u, d", null);
    }
    return changes.changes();
  }
}
