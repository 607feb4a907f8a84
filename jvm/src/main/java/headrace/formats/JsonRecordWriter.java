package headrace.formats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a row as a JSON object without blanks, its fields in the order of the columns. */
final class JsonRecordWriter implements RecordWriter {
  private final JsonFactory factory;
  private final JsonCell object;

  JsonRecordWriter(FormatSpec format) {
    factory = JsonFactory.builder()
        .configure(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN, format.flag("encode.decimal-as-plain-number"))
        .build();
    object = new JsonCells(format).fields(
        format.fields.stream().map(Field::name).toList(), format.fields.stream().map(Field::type).toList());
  }

  @Override
  public byte[] write(InternalRow row) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator generator = factory.createGenerator(bytes)) {
      object.write(generator, row, 0);
    }
    return bytes.toByteArray();
  }
}
