package headrace.lake;

import headrace.connect.ConnectType;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * How records of one kind (values, keys or headers) become files.
 *
 * @param format lines, avro or parquet
 * @param extension behind the name of the file
 * @param schemas by the number of a batch: of Avro for avro, of Connect for parquet, none for lines
 * @param codec of avro and parquet
 * @param separator behind each record of lines
 * @param level of gzip, -1 for its own
 */
record FileSpec(
    String format, String extension, List<String> schemas, String codec, byte[] separator, boolean gzip, int level)
    implements Serializable {
  RecordFile open(Upload upload, int batch) throws IOException {
    return switch (format) {
      case "avro" -> new AvroFile(upload, schemas.get(batch), codec);
      case "parquet" -> new ParquetFile(upload, ConnectType.parse(schemas.get(batch)), codec);
      default -> LineFile.of(upload, this);
    };
  }
}
