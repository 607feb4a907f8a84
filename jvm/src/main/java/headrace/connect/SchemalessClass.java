package headrace.connect;

import java.io.Serializable;
import org.apache.spark.unsafe.types.UTF8String;

/** The classes that Connect's messages name for values without a schema. */
public final class SchemalessClass implements Serializable {
  private static final long serialVersionUID = 1L;

  public UTF8String of(UTF8String text) {
    Object value = JsonTree.ofText(text);
    return value == null ? null : UTF8String.fromString(Conversions.className(value));
  }

  @Override
  public String toString() {
    return "SchemalessClass";
  }
}
