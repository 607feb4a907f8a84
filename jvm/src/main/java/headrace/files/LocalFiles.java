package headrace.files;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.local.LocalConfigKeys;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Checkpoints on a local disk. Without its native library Hadoop starts processes for every file it makes (chmod) and renames
 * (readlink), and writes a second file with a checksum; a batch makes a dozen. Spark has checksums of its own.
 */
public final class LocalFiles extends DelegateToFileSystem {
  /** Hadoop makes it by this constructor. */
  public LocalFiles(URI uri, Configuration configuration) throws IOException, URISyntaxException {
    super(FsConstants.LOCAL_FS_URI, new InProcess(), configuration, FsConstants.LOCAL_FS_URI.getScheme(), false);
  }

  @Override
  public int getUriDefaultPort() {
    return -1;
  }

  @Override
  public FsServerDefaults getServerDefaults(Path file) throws IOException {
    return LocalConfigKeys.getServerDefaults();
  }

  @Override
  public boolean isValidName(String name) {
    return true;
  }

  private static final class InProcess extends RawLocalFileSystem {
    @Override
    public void setPermission(Path file, FsPermission permission) throws IOException {
      Files.setPosixFilePermissions(
          pathToFile(file).toPath(), PosixFilePermissions.fromString(withoutSticky(permission.toString())));
    }

    @Override
    public FileStatus getFileLinkStatus(Path file) throws IOException {
      return Files.isSymbolicLink(pathToFile(file).toPath()) ? super.getFileLinkStatus(file) : getFileStatus(file);
    }

    private static String withoutSticky(String symbols) {
      return symbols.replace('t', 'x').replace('T', '-');
    }
  }
}
