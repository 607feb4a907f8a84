package headrace.connect;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;

/**
 * Prints what a keystore of Java's holds, JKS or PKCS12, as PEM: {@code KeystorePem FILE}. Passwords of the store and of its key
 * are lines of standard input, since a command line can be read by everybody on the machine; an empty one is none.
 */
public final class KeystorePem {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  private KeystorePem() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader passwords = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    char[] ofStore = password(passwords.readLine());
    char[] ofKey = password(passwords.readLine());
    try {
      KeyStore store = KeyStore.getInstance(new File(arguments[0]), ofStore);
      print(store, ofKey == null ? ofStore : ofKey, System.out);
    } catch (IOException | GeneralSecurityException unusable) {
      System.err.println(unusable.getMessage());
      System.exit(1);
    }
  }

  private static char[] password(String line) {
    return line == null || line.isEmpty() ? null : line.toCharArray();
  }

  private static void print(KeyStore store, char[] ofKey, PrintStream out) throws GeneralSecurityException {
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        Key key = store.getKey(alias, ofKey);
        print("PRIVATE KEY", key.getEncoded(), out);
        for (Certificate link : store.getCertificateChain(alias)) {
          print("CERTIFICATE", link.getEncoded(), out);
        }
      } else {
        print("CERTIFICATE", store.getCertificate(alias).getEncoded(), out);
      }
    }
  }

  private static void print(String kind, byte[] content, PrintStream out) {
    out.println("-----BEGIN " + kind + "-----\n" + LINES.encodeToString(content) + "\n-----END " + kind + "-----");
  }
}
