package headrace.lake;

import java.util.Map;

/**
 * How to reach a bucket. Never printed: it has secrets.
 *
 * @param endpoint of the service, null for Amazon's own
 * @param token of credentials that expire, or null
 * @param created headers of the request that begins an object: encryption, access
 * @param sent headers of every request with bytes: the customer's own key
 * @param tags what tags beside offsets and count an object gets; null where objects are not tagged
 */
record S3Spec(
    String bucket,
    String region,
    String endpoint,
    boolean pathStyle,
    String accessKey,
    String secretKey,
    String token,
    int partSize,
    int retries,
    long backoffMillis,
    Map<String, String> created,
    Map<String, String> sent,
    Map<String, String> tags,
    boolean tagErrorsFail,
    String proxy,
    String proxyUser,
    String proxyPassword)
    implements java.io.Serializable {
  @Override
  public String toString() {
    return "s3://" + bucket;
  }
}
