package headrace.lake;

import headrace.connect.ConnectType;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** A file of Parquet; records are rows in Spark's binary layout. */
final class ParquetFile implements RecordFile {
  /** As Connect writes them. */
  private static final int PAGE_BYTES = 64 * 1024;

  private final ParquetWriter<InternalRow> writer;
  private final UnsafeRow row;

  ParquetFile(Upload upload, ConnectType type, String codec) throws IOException {
    row = new UnsafeRow(type.fields.size());
    writer = new Builder(new Output(upload), type)
        .withConf(new Configuration(false))
        .withCompressionCodec(codecOf(codec))
        .withDictionaryEncoding(true)
        .withPageSize(PAGE_BYTES)
        .build();
  }

  private static CompressionCodecName codecOf(String name) {
    return name.equals("none")
        ? CompressionCodecName.UNCOMPRESSED
        : CompressionCodecName.valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public void write(byte[] record) throws IOException {
    row.pointTo(record, record.length);
    writer.write(row);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<InternalRow, Builder> {
    private final ConnectType type;

    Builder(OutputFile file, ConnectType type) {
      super(file);
      this.type = type;
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** Deprecated, and abstract all the same. */
    @Override
    @SuppressWarnings("deprecation")
    protected WriteSupport<InternalRow> getWriteSupport(Configuration configuration) {
      return new ParquetRows(type);
    }
  }

  /** Parquet asks for its place in the file; it never goes back. */
  private record Output(Upload upload) implements OutputFile {
    @Override
    public PositionOutputStream create(long blockSize) {
      return new Positions(upload);
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSize) {
      return new Positions(upload);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return 0;
    }
  }

  private static final class Positions extends PositionOutputStream {
    private final Upload upload;
    private long position;

    Positions(Upload upload) {
      this.upload = upload;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int single) throws IOException {
      upload.write(single);
      position++;
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      upload.write(bytes, start, length);
      position += length;
    }
  }
}
