package headrace.lake;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What S3 refused, and its reason. */
final class S3Exception extends IOException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CODE = Pattern.compile("<Code>(.*?)</Code>");
  private static final Pattern MESSAGE = Pattern.compile("<Message>(.*?)</Message>", Pattern.DOTALL);

  final String code;

  S3Exception(String method, String bucket, String key, int status, String body) {
    super("S3 refuses %s of s3://%s/%s: %d %s %s"
        .formatted(method, bucket, key, status, found(CODE, body), found(MESSAGE, body)));
    code = found(CODE, body);
  }

  private static String found(Pattern pattern, String body) {
    Matcher matcher = pattern.matcher(body);
    return matcher.find() ? matcher.group(1) : "";
  }
}
