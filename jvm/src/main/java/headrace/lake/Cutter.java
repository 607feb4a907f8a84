package headrace.lake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes the records of a task, which come partition by partition and in order; gives a report for each partition. */
final class Cutter implements MapPartitionsFunction<InternalRow, String> {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final CutSpec spec;

  Cutter(CutSpec spec) {
    this.spec = spec;
  }

  @Override
  public Iterator<String> call(Iterator<InternalRow> rows) throws IOException {
    Store store = spec.store().open();
    Texts texts = LakeRecord.texts();
    List<String> reports = new ArrayList<>();
    PartitionCuts cuts = null;
    String topic = null;
    int partition = -1;
    boolean ended = false;
    try {
      while (rows.hasNext()) {
        LakeRecord record = LakeRecord.of(rows.next(), texts);
        if (cuts == null || record.partition() != partition || !record.source().equals(topic)) {
          if (cuts != null) {
            reports.add(json(cuts.finish()));
          }
          topic = record.source();
          partition = record.partition();
          cuts = new PartitionCuts(spec, store, topic, partition);
          ended = false;
        }
        ended = ended || !cuts.take(record);
      }
      if (cuts != null) {
        reports.add(json(cuts.finish()));
        cuts = null;
      }
    } finally {
      if (cuts != null) {
        cuts.abort();
      }
    }
    return reports.iterator();
  }

  private static String json(PartitionReport report) throws JsonProcessingException {
    return JSON.writeValueAsString(report);
  }
}
