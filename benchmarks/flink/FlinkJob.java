import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/**
 * One query on a local Flink: {@code FlinkJob settings.properties CREATE… CREATE… INSERT…}.
 *
 * <p>Prints a line when the job could be submitted, submits it after a line of input, prints the job's own net run time,
 * and stays until its input ends: whoever measures reads CPU time and memory of a process that is still there.
 */
public final class FlinkJob {
  private FlinkJob() {}

  public static void main(String[] arguments) throws Exception {
    List<String> statements = Arrays.asList(arguments).subList(1, arguments.length);
    String insert = statements.get(statements.size() - 1);
    TableEnvironment tables = environment(Path.of(arguments[0]));
    statements.subList(0, statements.size() - 1).forEach(tables::executeSql);
    say("{\"ready\": true}");
    nextByte();
    say(report(run(tables, insert)));
    while (nextByte() >= 0) {}
    // Flink's local cluster leaves threads behind that keep the process alive.
    System.exit(0);
  }

  private static TableEnvironment environment(Path settings) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(settings)) {
      properties.load(reader);
    }
    Configuration configuration = new Configuration();
    properties.stringPropertyNames().forEach(key -> configuration.setString(key, properties.getProperty(key)));
    return TableEnvironment.create(
        EnvironmentSettings.newInstance().inStreamingMode().withConfiguration(configuration).build());
  }

  private static JobExecutionResult run(TableEnvironment tables, String insert) throws Exception {
    return tables.executeSql(insert).getJobClient().orElseThrow().getJobExecutionResult().get();
  }

  private static String report(JobExecutionResult result) {
    double seconds = result.getNetRuntime(TimeUnit.MILLISECONDS) / 1000.0;
    return String.format(Locale.ROOT, "{\"seconds\": %.3f}", seconds);
  }

  private static int nextByte() throws IOException {
    return System.in.read();
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
