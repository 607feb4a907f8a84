package headrace.functions;

import org.apache.spark.unsafe.types.UTF8String;

/** IPv4 addresses as text and as numbers; what is none is null. */
public final class Addresses {
  private static final int PARTS = 4;
  private static final int GREATEST_PART = 255;
  private static final long GREATEST = 0xFFFFFFFFL;

  private Addresses() {}

  /** Parts are decimal, also with leading zeros; of an address with fewer than four the last part is the lowest byte. */
  public static Long toNumber(UTF8String address) {
    String[] parts = address.toString().split("\\.", -1);
    if (parts.length > PARTS) {
      return null;
    }
    long number = 0;
    for (int place = 0; place < parts.length; place++) {
      int part = part(parts[place]);
      if (part < 0) {
        return null;
      }
      int bytesBelow = place == parts.length - 1 ? 0 : PARTS - 1 - place;
      number |= (long) part << (bytesBelow * Byte.SIZE);
    }
    return number;
  }

  public static UTF8String toText(long number) {
    if (number < 0 || number > GREATEST) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (int bytesBelow = PARTS - 1; bytesBelow >= 0; bytesBelow--) {
      text.append(number >> (bytesBelow * Byte.SIZE) & GREATEST_PART).append(bytesBelow == 0 ? "" : ".");
    }
    return UTF8String.fromString(text.toString());
  }

  /** The number in digits, or -1. */
  private static int part(String digits) {
    int value = digits.isEmpty() ? -1 : 0;
    for (int place = 0; place < digits.length(); place++) {
      char digit = digits.charAt(place);
      value = value * 10 + (digit - '0');
      if (digit < '0' || digit > '9' || value > GREATEST_PART) {
        return -1;
      }
    }
    return value;
  }
}
