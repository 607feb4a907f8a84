package headrace.operators;

import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Parts of a group's values by their hash, and the keys under which Spark shuffles them. Bucket b must go to partition b
 * modulo their number, or the few buckets would fall together by chance; so its key is the number whose hash is b.
 */
public final class Buckets {
  static final StructType KEY = new StructType().add("bucket", DataTypes.IntegerType);

  /** Spark hashes a shuffle's keys by Murmur3 with this seed. */
  private static final int SEED = 42;

  private Buckets() {}

  static int of(int hash, int buckets) {
    return Math.floorMod(hash, buckets);
  }

  /** The packed key of each bucket. */
  static byte[][] keys(int buckets) {
    UnsafeProjection projection = UnsafeProjection.create(KEY);
    byte[][] keys = new byte[buckets][];
    for (int i = 0; i < buckets; i++) {
      keys[i] = Packed.bytes(projection, new GenericInternalRow(new Object[] {hashedTo(i)}));
    }
    return keys;
  }

  /** Murmur3's steps for one int, backwards: each of them can be undone. */
  public static int hashedTo(int hash) {
    int h = hash ^ hash >>> 16;
    h *= inverse(0xc2b2ae35);
    h ^= h >>> 13 ^ h >>> 26;
    h *= inverse(0x85ebca6b);
    h ^= h >>> 16;
    h ^= Integer.BYTES;
    h = (h - 0xe6546b64) * inverse(5);
    int k = Integer.rotateRight(h, 13) ^ SEED;
    k = Integer.rotateRight(k * inverse(0x1b873593), 15);
    return k * inverse(0xcc9e2d51);
  }

  /** The factor that undoes a multiplication of ints. */
  private static int inverse(int factor) {
    return BigInteger.valueOf(factor).modInverse(BigInteger.ONE.shiftLeft(Integer.SIZE)).intValue();
  }
}
