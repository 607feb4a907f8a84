package headrace.connect.jdbc;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.spark.util.Utils;

/** Drivers of databases: those of jars that are added while the JVM runs, and those that Spark was given. */
public final class Drivers {
  private static final Set<URL> ADDED = new LinkedHashSet<>();
  private static ClassLoader loader;

  private Drivers() {}

  /** Addresses of jars; those that are there already stay. */
  public static synchronized void add(List<String> jars) throws MalformedURLException {
    boolean grown = false;
    for (String jar : jars) {
      grown |= ADDED.add(URI.create(jar).toURL());
    }
    if (grown) {
      loader = new URLClassLoader(ADDED.toArray(new URL[0]), Utils.getContextOrSparkClassLoader());
    }
  }

  /** In the order in which they are asked. */
  static List<Driver> all() {
    List<Driver> drivers = new ArrayList<>();
    var found = ServiceLoader.load(Driver.class, loader()).iterator();
    while (found.hasNext()) {
      try {
        drivers.add(found.next());
      } catch (ServiceConfigurationError unusable) {
        // A jar that names a driver it does not have is no reason not to use the others.
      }
    }
    return drivers;
  }

  private static synchronized ClassLoader loader() {
    return loader == null ? Utils.getContextOrSparkClassLoader() : loader;
  }
}
