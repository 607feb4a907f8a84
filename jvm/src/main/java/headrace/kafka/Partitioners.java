package headrace.kafka;

import org.apache.kafka.clients.producer.Partitioner;

/** Classes of a user's that choose partitions. */
public final class Partitioners {
  private Partitioners() {}

  /** What is wrong with the class: nothing (empty), or a sentence. */
  public static String problem(String name) {
    try {
      Class<?> found = Class.forName(name, true, Thread.currentThread().getContextClassLoader());
      if (!Partitioner.class.isAssignableFrom(found)) {
        return "it does not implement " + Partitioner.class.getName();
      }
      found.getDeclaredConstructor().newInstance();
      return "";
    } catch (ClassNotFoundException | NoClassDefFoundError missing) {
      return "there is no such class among the jars of Spark";
    } catch (ReflectiveOperationException broken) {
      return "it cannot be made without arguments";
    }
  }
}
