package headrace.formats;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Spells a key that somebody else wrote as this table's writer would: the same key can be written in several ways, such as
 * JSON with and without blanks. Bytes that are no key of the table have no spelling.
 */
public final class KeySpelling implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String specification;
  private transient volatile Format format;

  KeySpelling(String specification) {
    this.specification = specification;
  }

  /** Called from generated code, once per key. */
  public byte[] respell(byte[] key) {
    Format ready = format();
    try {
      List<Object[]> rows = key == null ? List.of() : ready.reader.read(key, ready.width);
      // Columns of a primary key are never NULL, so a record without them belongs to something else.
      boolean whole = rows.size() == 1 && Arrays.stream(rows.get(0)).allMatch(Objects::nonNull);
      return whole ? ready.writer.write(new GenericInternalRow(rows.get(0))) : null;
    } catch (RegistryException failure) {
      throw failure;
    } catch (IOException | RuntimeException unreadable) {
      return null;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeySpelling that && that.specification.equals(specification);
  }

  @Override
  public int hashCode() {
    return specification.hashCode();
  }

  private Format format() {
    Format ready = format;
    if (ready == null) {
      ready = Format.of(specification);
      format = ready;
    }
    return ready;
  }

  private record Format(RecordReader reader, RecordWriter writer, int width) {
    static Format of(String specification) {
      try {
        FormatSpec format = new FormatSpec(new ObjectMapper().readTree(specification));
        return new Format(format.reader(), format.writer(), format.fields.size());
      } catch (IOException malformed) {
        throw new IllegalArgumentException("malformed key specification", malformed);
      }
    }
  }
}
