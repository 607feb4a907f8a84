package headrace.lake;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests as AWS's Signature Version 4 asks for. */
final class S3Signature {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final int DATE_LENGTH = 8;

  private final S3Spec spec;

  S3Signature(S3Spec spec) {
    this.spec = spec;
  }

  /** The headers to send, with the signature among them; but `host`, which the client sets itself. */
  Map<String, String> headers(
      String method, URI address, String query, Map<String, String> given, byte[] body, Instant now) {
    String moment = MOMENT.format(now);
    SortedMap<String, String> headers = new TreeMap<>();
    given.forEach((name, value) -> headers.put(name.toLowerCase(java.util.Locale.ROOT), value.trim()));
    headers.put("host", address.getPort() < 0 ? address.getHost() : address.getHost() + ":" + address.getPort());
    headers.put("x-amz-date", moment);
    headers.put("x-amz-content-sha256", hex(digest(body)));
    if (spec.token() != null) {
      headers.put("x-amz-security-token", spec.token());
    }
    String signed = String.join(";", headers.keySet());
    String scope = moment.substring(0, DATE_LENGTH) + "/" + spec.region() + "/s3/aws4_request";
    String lines = headers.entrySet().stream()
        .map(header -> header.getKey() + ":" + header.getValue() + "\n")
        .collect(Collectors.joining());
    String request = String.join("\n", method, address.getRawPath(), query, lines, signed,
        headers.get("x-amz-content-sha256"));
    String text = String.join("\n", ALGORITHM, moment, scope, hex(digest(request.getBytes(StandardCharsets.UTF_8))));
    headers.put("authorization", "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
        .formatted(ALGORITHM, spec.accessKey(), scope, signed, hex(hmac(key(moment), text))));
    headers.remove("host");
    return headers;
  }

  private byte[] key(String moment) {
    byte[] secret = ("AWS4" + spec.secretKey()).getBytes(StandardCharsets.UTF_8);
    byte[] day = hmac(secret, moment.substring(0, DATE_LENGTH));
    return hmac(hmac(hmac(day, spec.region()), "s3"), "aws4_request");
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Every byte but letters, digits and `-_.~` as %XX; `/` stays where `path` says so. */
  static String encoded(String text, boolean path) {
    StringBuilder result = new StringBuilder();
    for (byte single : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (single & 0xFF);
      boolean plain = letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z' || letter >= '0' && letter <= '9'
          || "-_.~".indexOf(letter) >= 0 || path && letter == '/';
      result.append(plain ? String.valueOf(letter) : "%%%02X".formatted((int) letter));
    }
    return result.toString();
  }
}
