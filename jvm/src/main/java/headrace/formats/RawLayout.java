package headrace.formats;

import java.nio.ByteOrder;
import java.nio.charset.Charset;

/** How a raw value lies in its bytes. */
record RawLayout(Charset charset, ByteOrder order) {
  static RawLayout of(FormatSpec format) {
    boolean little = "little-endian".equals(format.text("endianness"));
    return new RawLayout(
        Charset.forName(format.text("charset")), little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
  }

  /** The bytes of a value of a fixed size. */
  static int size(FieldType type) {
    return switch (type.kind) {
      case "BOOLEAN", "TINYINT" -> Byte.BYTES;
      case "SMALLINT" -> Short.BYTES;
      case "INT" -> Integer.BYTES;
      case "BIGINT" -> Long.BYTES;
      case "FLOAT" -> Float.BYTES;
      case "DOUBLE" -> Double.BYTES;
      default -> throw new IllegalArgumentException("raw has no form for " + type);
    };
  }
}
