package headrace.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Runs another class's main method for as long as the process that started this one lives: its end, however it comes
 * about, closes standard input.
 */
public final class OwnedProcess {
    /** Longer than Connect gives its tasks to end; a shutdown that hangs must not outlive its owner for ever. */
    private static final long SHUTDOWN_MILLIS = 20_000;

    private OwnedProcess() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(() -> endWith(System.in), "owner-watch");
        watch.setDaemon(true);
        watch.start();
        String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    }

    private static void endWith(InputStream owner) {
        try {
            owner.transferTo(OutputStream.nullOutputStream());
        } catch (IOException broken) {
            // A pipe that breaks says the same as one that ends.
        }
        Thread limit = new Thread(OwnedProcess::haltInTime, "shutdown-limit");
        limit.setDaemon(true);
        limit.start();
        System.exit(0);
    }

    private static void haltInTime() {
        try {
            Thread.sleep(SHUTDOWN_MILLIS);
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }
}
