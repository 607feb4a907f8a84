package headrace.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Requests to a schema registry, at the first of its addresses that answers. */
final class RegistryHttp {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CONTENT = "application/vnd.schemaregistry.v1+json";
  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;

  /** Rounds over all addresses; a registry that restarts or elects a leader is back within a second or two. */
  private static final int ROUNDS = 4;
  private static final long FIRST_PAUSE_MILLIS = 200;

  private final List<String> addresses = new ArrayList<>();
  private final JsonNode settings;
  private final HttpClient client;

  RegistryHttp(JsonNode settings) {
    this.settings = settings;
    settings.get("urls").forEach(url -> addresses.add(url.asText()));
    client = client(settings);
  }

  String address() {
    return String.join(",", addresses);
  }

  JsonNode get(String path) {
    return answer(path, "", null, Map.of());
  }

  JsonNode post(String path, String subject, JsonNode body) {
    return answer(path, subject, body, Map.of("Content-Type", CONTENT));
  }

  /** With headers of its own, of which one tells the type of the body. */
  JsonNode post(String path, String subject, JsonNode body, Map<String, String> headers) {
    return answer(path, subject, body, headers);
  }

  private JsonNode answer(String path, String subject, JsonNode body, Map<String, String> headers) {
    RegistryException last = null;
    for (int round = 0; round < ROUNDS; round++) {
      pause(round);
      for (String address : addresses) {
        try {
          return once(address, path, subject, body, headers);
        } catch (RegistryException failure) {
          last = failure;
          if (failure.status != RegistryException.UNREACHABLE && failure.status < SERVER_ERROR) {
            throw failure;
          }
        }
      }
    }
    throw last;
  }

  private JsonNode once(
      String address, String path, String subject, JsonNode body, Map<String, String> headers) {
    try {
      HttpRequest request = request(address + path, body, headers);
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != OK) {
        throw new RegistryException(address, response.statusCode(), subject, reason(response));
      }
      return JSON.readTree(response.body());
    } catch (IOException failure) {
      String reason = failure.getMessage();
      throw new RegistryException(address, RegistryException.UNREACHABLE, subject,
          reason == null ? failure.getClass().getSimpleName() : reason);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new RegistryException(address, RegistryException.UNREACHABLE, subject, "interrupted");
    }
  }

  private HttpRequest request(String address, JsonNode body, Map<String, String> headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
        .timeout(Duration.ofMillis(settings.get("readTimeoutMillis").asLong()))
        .header("Accept", CONTENT + ", application/json");
    settings.get("headers").properties().forEach(h -> request.header(h.getKey(), h.getValue().asText()));
    headers.forEach(request::header);
    if (body != null) {
      request.POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    }
    return request.build();
  }

  /** The registry's own words where it has some; an error page of something in front of it tells less than its status. */
  private static String reason(HttpResponse<String> response) {
    try {
      JsonNode message = JSON.readTree(response.body()).path("message");
      return message.isTextual() ? message.asText() : "HTTP status " + response.statusCode();
    } catch (IOException notJson) {
      return "HTTP status " + response.statusCode();
    }
  }

  private static void pause(int round) {
    if (round == 0) {
      return;
    }
    try {
      Thread.sleep(FIRST_PAUSE_MILLIS << round);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpClient client(JsonNode settings) {
    HttpClient.Builder client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NORMAL)
        .connectTimeout(Duration.ofMillis(settings.get("connectTimeoutMillis").asLong()));
    if (settings.hasNonNull("proxyHost")) {
      client.proxy(ProxySelector.of(
          new InetSocketAddress(settings.get("proxyHost").asText(), settings.get("proxyPort").asInt())));
    }
    if (settings.hasNonNull("keystore") || settings.hasNonNull("truststore")) {
      client.sslContext(ssl(settings));
    }
    return client.build();
  }

  private static SSLContext ssl(JsonNode settings) {
    try {
      KeyManager[] keys = null;
      TrustManager[] trusted = null;
      if (settings.hasNonNull("keystore")) {
        char[] password = password(settings, "keystorePassword");
        char[] keyPassword = settings.hasNonNull("keyPassword") ? password(settings, "keyPassword") : password;
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(settings.get("keystore"), password), keyPassword);
        keys = factory.getKeyManagers();
      }
      if (settings.hasNonNull("truststore")) {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store(settings.get("truststore"), password(settings, "truststorePassword")));
        trusted = factory.getTrustManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trusted, null);
      return context;
    } catch (IOException | GeneralSecurityException failure) {
      String address = settings.get("urls").get(0).asText();
      throw new RegistryException(address, RegistryException.UNREACHABLE, "", "SSL: " + failure.getMessage());
    }
  }

  private static KeyStore store(JsonNode file, char[] password) throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(new File(file.asText()), password);
  }

  private static char[] password(JsonNode settings, String name) {
    return settings.path(name).asText("").toCharArray();
  }
}
