package headrace.lake;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** The few requests of S3 that writing objects takes. One per set of settings and JVM, since it keeps connections. */
final class S3Client {
  private static final Map<S3Spec, S3Client> CLIENTS = new ConcurrentHashMap<>();
  private static final String TUNNELING = "jdk.http.auth.tunneling.disabledSchemes";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A service that is busy says so with these, and is asked again. */
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;
  private static final int REFUSED = 300;

  /** The longest pause between two tries; AWS's own clients have the same. */
  private static final long LONGEST_PAUSE_MILLIS = 20_000;

  static {
    // Java refuses to log in to a proxy in front of https unless told otherwise; a login that is set is meant to be used.
    if (System.getProperty(TUNNELING) == null) {
      System.setProperty(TUNNELING, "");
    }
  }

  record Answer(int status, String body, String tag) {}

  private final S3Spec spec;
  private final HttpClient client;

  private S3Client(S3Spec spec) {
    this.spec = spec;
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
    if (spec.proxy() != null) {
      URI proxy = URI.create(spec.proxy());
      builder.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())));
      if (spec.proxyUser() != null) {
        builder.authenticator(login(spec.proxyUser(), spec.proxyPassword()));
      }
    }
    client = builder.build();
  }

  static S3Client of(S3Spec spec) {
    return CLIENTS.computeIfAbsent(spec, S3Client::new);
  }

  private static Authenticator login(String user, String password) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication(user, password.toCharArray());
      }
    };
  }

  /** An answer that is no error; raises what S3 said otherwise. */
  Answer ask(String method, String key, Map<String, String> query, Map<String, String> headers, byte[] body)
      throws IOException {
    Answer answer = send(method, key, query, headers, body);
    if (answer.status() >= REFUSED) {
      throw new S3Exception(method, spec.bucket(), key, answer.status(), answer.body());
    }
    return answer;
  }

  /** An answer, whatever it says; tried again where the service is busy or out of reach. */
  Answer send(String method, String key, Map<String, String> query, Map<String, String> headers, byte[] body)
      throws IOException {
    for (int attempt = 0; ; attempt++) {
      try {
        Answer answer = once(method, key, query, headers, body);
        boolean busy = answer.status() >= SERVER_ERROR || answer.status() == TOO_MANY;
        if (!busy || attempt >= spec.retries()) {
          return answer;
        }
      } catch (IOException unreachable) {
        if (attempt >= spec.retries()) {
          throw new IOException("S3 at " + base() + " is out of reach: " + unreachable, unreachable);
        }
      }
      pause(attempt);
    }
  }

  private Answer once(String method, String key, Map<String, String> query, Map<String, String> headers, byte[] body)
      throws IOException {
    SortedMap<String, String> sorted = new TreeMap<>(query);
    String text = sorted.entrySet().stream()
        .map(item -> S3Signature.encoded(item.getKey(), false) + "=" + S3Signature.encoded(item.getValue(), false))
        .collect(Collectors.joining("&"));
    URI address = URI.create(base() + "/" + S3Signature.encoded(key, true));
    URI whole = text.isEmpty() ? address : URI.create(address + "?" + text);
    HttpRequest.Builder request = HttpRequest.newBuilder(whole).timeout(PATIENCE)
        .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    new S3Signature(spec).headers(method, address, text, headers, body, Instant.now()).forEach(request::header);
    try {
      HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      String tag = response.headers().firstValue("etag").orElse(null);
      return new Answer(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8), tag);
    } catch (InterruptedException stopped) {
      throw interrupted();
    }
  }

  private String base() {
    if (spec.endpoint() == null) {
      String host = "s3." + spec.region() + ".amazonaws.com";
      return spec.pathStyle() ? "https://" + host + "/" + spec.bucket() : "https://" + spec.bucket() + "." + host;
    }
    URI given = URI.create(spec.endpoint());
    String port = given.getPort() < 0 ? "" : ":" + given.getPort();
    return spec.pathStyle()
        ? given.getScheme() + "://" + given.getHost() + port + "/" + spec.bucket()
        : given.getScheme() + "://" + spec.bucket() + "." + given.getHost() + port;
  }

  /** Doubles from `s3.retry.backoff.ms` on, and varies, so that tasks do not all come back at once. */
  private void pause(int attempt) throws IOException {
    long longest = Math.min(LONGEST_PAUSE_MILLIS, spec.backoffMillis() << Math.min(attempt, 16));
    try {
      Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
    } catch (InterruptedException stopped) {
      throw interrupted();
    }
  }

  private static IOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
