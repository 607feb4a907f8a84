package headrace.sources;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/** The running sequence: the clock starts with the first batch, so that a restart does not rush to catch up. */
final class SequenceStream implements MicroBatchStream, SupportsTriggerAvailableNow {
  /** Keeps the first batch after a slow one, and the batches of an unreachable rate, at a size that tasks can bear. */
  private static final long MOST_ROWS_PER_BATCH = 1_000_000L;
  /** A task costs some milliseconds to start: fewer rows than these are not worth a second one. */
  private static final long LEAST_ROWS_PER_TASK = 1_000L;

  private static final double NANOS_PER_SECOND = 1e9;

  private final long rate;
  private final long end;
  private final int partitions;
  private boolean availableNow;
  private long clockStart;
  private long rowsAtClockStart = -1;

  SequenceStream(long rate, long end, int partitions) {
    this.rate = rate;
    this.end = end;
    this.partitions = partitions;
  }

  @Override
  public Offset initialOffset() {
    return new SequenceOffset(0, ThreadLocalRandom.current().nextLong());
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException("Spark asks with the start offset");
  }

  @Override
  public Offset latestOffset(Offset start, ReadLimit limit) {
    SequenceOffset from = (SequenceOffset) start;
    if (rowsAtClockStart < 0) {
      clockStart = System.nanoTime();
      rowsAtClockStart = from.rows;
    }
    // Spark ends an available-now run at the first batch without rows, so the next row must be waited for.
    while (availableNow && from.rows < end && due() <= from.rows) {
      pause();
    }
    long upTo = Math.min(Math.min(due(), end), from.rows + MOST_ROWS_PER_BATCH);
    return new SequenceOffset(Math.max(upTo, from.rows), from.seed);
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    availableNow = true;
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return ReadLimit.allAvailable();
  }

  @Override
  public Offset deserializeOffset(String json) {
    return SequenceOffset.parse(json);
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    SequenceOffset to = (SequenceOffset) end;
    long first = ((SequenceOffset) start).rows;
    long count = to.rows - first;
    int tasks = (int) Math.max(1, Math.min(partitions, count / LEAST_ROWS_PER_TASK));
    InputPartition[] planned = new InputPartition[tasks];
    for (int i = 0; i < tasks; i++) {
      planned[i] = new Range(first + count * i / tasks, first + count * (i + 1) / tasks, to.seed);
    }
    return planned;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return partition -> new RangeReader((Range) partition);
  }

  @Override
  public void commit(Offset end) {}

  @Override
  public void stop() {}

  private long due() {
    return rowsAtClockStart + (long) ((System.nanoTime() - clockStart) / NANOS_PER_SECOND * rate);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(1);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while waiting for the next row", stopped);
    }
  }

  private record Range(long first, long past, long seed) implements InputPartition {}

  private static final class RangeReader implements PartitionReader<InternalRow> {
    private final Range range;
    private long current;

    RangeReader(Range range) {
      this.range = range;
      this.current = range.first - 1;
    }

    @Override
    public boolean next() {
      current++;
      return current < range.past;
    }

    @Override
    public InternalRow get() {
      return new GenericInternalRow(new Object[] {current, range.seed});
    }

    @Override
    public void close() {}
  }
}
