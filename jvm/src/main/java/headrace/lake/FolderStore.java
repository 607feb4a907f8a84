package headrace.lake;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;

/** A folder of a file system; files are written beside it under a hidden name and moved into place. */
final class FolderStore implements Store {
  private static final long serialVersionUID = 1L;

  /** Readers of lakes pass over names that begin with a point. */
  private static final String STAGING = ".headrace";

  private final String root;

  FolderStore(String root) {
    this.root = root;
  }

  @Override
  public Upload begin(String key) throws IOException {
    Path staging = Files.createDirectories(Path.of(root, STAGING));
    return new FileUpload(staging.resolve(UUID.randomUUID().toString()));
  }

  @Override
  public void complete(PendingFile file) throws IOException {
    Path target = Path.of(root, file.key());
    Files.createDirectories(target.getParent());
    try {
      Files.move(Path.of(file.id()), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException gone) {
      if (!Files.exists(target)) {
        throw gone;
      }
    }
  }

  @Override
  public void abort(PendingFile file) throws IOException {
    Files.deleteIfExists(Path.of(file.id()));
  }

  private static final class FileUpload extends Upload {
    private final Path file;
    private final OutputStream out;

    FileUpload(Path file) throws IOException {
      this.file = file;
      this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    @Override
    public void write(int single) throws IOException {
      out.write(single);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      out.write(bytes, start, length);
    }

    @Override
    Ticket finish() throws IOException {
      out.close();
      return new Ticket(file.toString(), List.of());
    }

    @Override
    void abort() throws IOException {
      out.close();
      Files.deleteIfExists(file);
    }
  }
}
