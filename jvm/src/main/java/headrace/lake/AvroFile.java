package headrace.lake;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;

/** A container of Avro's; records are its binary form. */
final class AvroFile implements RecordFile {
  private final DataFileWriter<Object> writer;

  AvroFile(Upload upload, String schema, String codec) throws IOException {
    Schema parsed = new Schema.Parser().parse(schema);
    writer = new DataFileWriter<>(new GenericDatumWriter<>(parsed));
    writer.setCodec(CodecFactory.fromString(codec));
    writer.create(parsed, upload);
  }

  @Override
  public void write(byte[] record) throws IOException {
    writer.appendEncoded(ByteBuffer.wrap(record));
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
