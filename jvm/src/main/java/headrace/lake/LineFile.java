package headrace.lake;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Records one after the other, each with the same bytes behind it: lines of JSON, or whatever bytes. */
final class LineFile implements RecordFile {
  private final OutputStream out;
  private final byte[] separator;

  private LineFile(OutputStream out, byte[] separator) {
    this.out = out;
    this.separator = separator;
  }

  static LineFile of(Upload upload, FileSpec spec) throws IOException {
    return new LineFile(spec.gzip() ? new Gzip(upload, spec.level()) : upload, spec.separator());
  }

  @Override
  public void write(byte[] record) throws IOException {
    out.write(record);
    out.write(separator);
  }

  @Override
  public void close() throws IOException {
    if (out instanceof GZIPOutputStream gzip) {
      gzip.finish();
    }
  }

  private static final class Gzip extends GZIPOutputStream {
    private static final int BUFFER = 1 << 16;

    Gzip(OutputStream out, int level) throws IOException {
      super(out, BUFFER);
      def.setLevel(level);
    }
  }
}
