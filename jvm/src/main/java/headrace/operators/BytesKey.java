package headrace.operators;

import java.util.Arrays;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/** Bytes as a hash key. */
final class BytesKey {
  private static final int SEED = 42;

  final byte[] bytes;
  private final int hash;

  BytesKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Murmur3_x86_32.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, SEED);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BytesKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
