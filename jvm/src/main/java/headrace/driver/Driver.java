package headrace.driver;

import headrace.functions.FlinkFunctions;
import java.io.IOException;
import java.io.Reader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.python.PythonGatewayServer;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.MutableURLClassLoader;
import org.rocksdb.RocksDB;

/**
 * The JVM of a driver: Spark starts at once, while Python still reads its libraries, and Python's calls are served as
 * in any JVM of PySpark.
 */
public final class Driver {
  private static CompletableFuture<SparkSession> session;

  private Driver() {}

  /** The only argument is a file of Spark's settings, which is removed once it is read: it may hold secrets. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Properties settings = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      settings.load(reader);
    }
    Files.delete(file);
    settings.forEach((name, value) -> System.setProperty((String) name, (String) value));
    // As under Spark's launcher: jars can be added while it runs. All threads have it from here.
    Thread.currentThread()
        .setContextClassLoader(new MutableURLClassLoader(new URL[0], Driver.class.getClassLoader()));
    session = CompletableFuture.supplyAsync(Driver::start, Driver::daemon);
    // The first state store would load it, on the way of the first batch.
    daemon(RocksDB::loadLibrary);
    try {
      PythonGatewayServer.main(new String[0]);
    } catch (Throwable failure) {
      // Python has ended and deleted the folder for the address. The gateway's thread would keep this JVM alive.
      failure.printStackTrace();
      System.exit(1);
    }
  }

  /** The context, once it is there; what kept it from starting is thrown as it was. */
  public static JavaSparkContext context() throws Throwable {
    try {
      return new JavaSparkContext(session.get().sparkContext());
    } catch (ExecutionException failure) {
      throw failure.getCause();
    }
  }

  private static SparkSession start() {
    SparkSession started = SparkSession.builder().getOrCreate();
    FlinkFunctions.register(started);
    return started;
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "headrace-start");
    thread.setDaemon(true);
    thread.start();
  }
}
