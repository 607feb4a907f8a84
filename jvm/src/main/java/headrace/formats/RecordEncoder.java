package headrace.formats;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Encodes one row as the bytes of a key or value; travels to the tasks as the text of its specification. */
public final class RecordEncoder implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String specification;
  private transient volatile Target target;

  RecordEncoder(String specification) {
    this.specification = specification;
  }

  /** Called from generated code, once per row. */
  public byte[] encode(InternalRow row) {
    Target ready = target();
    try {
      return ready.writer.write(row);
    } catch (RegistryException failure) {
      throw failure;
    } catch (IOException | RuntimeException failure) {
      throw RecordException.encoding(ready.format, failure);
    }
  }

  /** Equal specifications are the same work, which lets Spark share it within a plan. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RecordEncoder that && that.specification.equals(specification);
  }

  @Override
  public int hashCode() {
    return specification.hashCode();
  }

  @Override
  public String toString() {
    return "RecordEncoder";
  }

  private Target target() {
    Target ready = target;
    if (ready == null) {
      ready = Target.of(specification);
      target = ready;
    }
    return ready;
  }

  private record Target(FormatSpec format, RecordWriter writer) {
    static Target of(String specification) {
      try {
        FormatSpec format = new FormatSpec(new ObjectMapper().readTree(specification));
        return new Target(format, format.writer());
      } catch (IOException malformed) {
        throw new IllegalArgumentException("malformed encoder specification", malformed);
      }
    }
  }
}
