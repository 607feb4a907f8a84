package headrace.lake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;

/** Where files go: a folder, or a bucket where there is one. */
record StoreSpec(String folder, S3Spec s3) implements Serializable {
  static StoreSpec parse(String text) {
    return read(text, StoreSpec.class);
  }

  static <T> T read(String text, Class<T> type) {
    try {
      return new ObjectMapper().readValue(text, type);
    } catch (JsonProcessingException failure) {
      failure.clearLocation(); // its text would show credentials
      throw new IllegalArgumentException("malformed specification of files: " + failure.getOriginalMessage());
    }
  }

  Store open() {
    return s3 == null ? new FolderStore(folder) : new S3Store(s3);
  }

  @Override
  public String toString() {
    return s3 == null ? folder : s3.toString();
  }
}
