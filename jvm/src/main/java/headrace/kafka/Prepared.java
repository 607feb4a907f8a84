package headrace.kafka;

import java.io.Serializable;

/**
 * A task's transaction whose records the broker has, and that waits for the decision. Whoever knows the producer's id and
 * epoch can commit it, also from another process.
 */
record Prepared(int task, int attempt, String id, long producerId, short epoch) implements Serializable {}
