package headrace.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import headrace.formats.RecordDecoder;
import headrace.operators.NewestRows;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.types.StructType;

/**
 * What a source makes of a record.
 *
 * @param keep fields of the record beside the decoded columns
 * @param newestPer the key of which only the newest row counts; empty where every row does
 * @param skips whether the job goes on without a record that cannot be decoded
 * @param deadLetters where such records go, or null
 */
record RowSpec(
    RecordDecoder decoder, List<RecordField> keep, List<String> newestPer, boolean skips, DeadLetterTopic deadLetters)
    implements Serializable {
  /** Fields of the record have names that no column of a user has. */
  private static final String PREFIX = "__record_";

  /** `producer` has the properties of the dead letters' producer as JSON; null where there are none. */
  static RowSpec parse(String text, String producer) {
    try {
      JsonNode spec = new ObjectMapper().readTree(text);
      List<RecordField> keep = new ArrayList<>();
      spec.get("keep").forEach(name -> keep.add(RecordField.valueOf(name.asText().toUpperCase(Locale.ROOT))));
      List<String> key = new ArrayList<>();
      spec.get("newestPer").forEach(name -> key.add(name.asText()));
      RecordDecoder decoder = new RecordDecoder(spec.get("decoder").toString());
      DeadLetterTopic letters =
          producer == null ? null : new DeadLetterTopic(spec.get("deadLetterTopic").asText(), producer);
      return new RowSpec(decoder, keep, key, spec.get("skips").asBoolean(), letters);
    } catch (IOException malformed) {
      throw new IllegalArgumentException("malformed specification of rows", malformed);
    }
  }

  StructType schema() {
    StructType schema = decoder.rowType();
    for (RecordField field : keep) {
      schema = schema.add(PREFIX + field.name().toLowerCase(Locale.ROOT), field.type, true);
    }
    return schema;
  }

  /** A reader's own decoder; `skipped` is the counter of a source that skips. */
  RowsOfRecord rows(SkippedRecords skipped) {
    return new RowsOfRecord(decoder, keep, skips ? new UnreadableRecords(skipped, deadLetters) : null);
  }

  /** Null where every row counts. */
  NewestRows newest() {
    StructType schema = schema();
    return newestPer.isEmpty() ? null : new NewestRows(schema, newestPer.stream().mapToInt(schema::fieldIndex).toArray());
  }
}
