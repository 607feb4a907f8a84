package headrace.formats;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Avro's binary encoding read from one record's bytes. Every length is checked against what is left of the record,
 * so that a corrupt one fails as a record instead of asking the task for gigabytes.
 */
final class AvroBytes implements AvroInput {
  /** Seven bits a byte: no 64-bit number needs more bytes. */
  private static final int MAX_VARINT_BYTES = 10;

  private final byte[] record;
  private int position;

  AvroBytes(byte[] record, int position) {
    this.record = record;
    this.position = position;
  }

  @Override
  public void nothing() {}

  @Override
  public boolean bool() throws EOFException {
    return take(1)[0] != 0;
  }

  @Override
  public int integer() throws EOFException {
    return Math.toIntExact(number());
  }

  @Override
  public long number() throws EOFException {
    long raw = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      if (position == record.length) {
        throw new EOFException("the record ends inside a number");
      }
      byte current = record[position++];
      raw |= (long) (current & 0x7F) << (7 * i);
      if (current >= 0) {
        return raw >>> 1 ^ -(raw & 1);
      }
    }
    throw new FieldException("a number has more than " + MAX_VARINT_BYTES + " bytes");
  }

  @Override
  public float single() throws EOFException {
    return ByteBuffer.wrap(take(Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getFloat();
  }

  @Override
  public double dual() throws EOFException {
    return ByteBuffer.wrap(take(Double.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getDouble();
  }

  @Override
  public byte[] bytes() throws EOFException {
    return take(number());
  }

  @Override
  public byte[] text() throws EOFException {
    return take(number());
  }

  @Override
  public byte[] fixed(int size) throws EOFException {
    return take(size);
  }

  @Override
  public int symbol() throws EOFException {
    return integer();
  }

  @Override
  public int branch() throws EOFException {
    return integer();
  }

  @Override
  public long arrayStart() throws EOFException {
    return block();
  }

  @Override
  public long arrayNext() throws EOFException {
    return block();
  }

  @Override
  public long mapStart() throws EOFException {
    return block();
  }

  @Override
  public long mapNext() throws EOFException {
    return block();
  }

  /** The number of items in the next block of an array or map; 0 ends it. */
  private long block() throws EOFException {
    long count = number();
    if (count < 0) {
      // A negative count is followed by the block's size in bytes, meant for readers that skip.
      number();
      count = -count;
    }
    if (count > record.length) {
      throw new FieldException("a block claims " + count + " items in a record of " + record.length + " bytes");
    }
    return count;
  }

  private byte[] take(long length) throws EOFException {
    if (length < 0 || length > record.length - position) {
      throw new EOFException(length + " bytes expected, " + (record.length - position) + " left");
    }
    byte[] taken = Arrays.copyOfRange(record, position, position + (int) length);
    position += (int) length;
    return taken;
  }
}
