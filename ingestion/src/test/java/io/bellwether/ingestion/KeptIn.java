package io.bellwether.ingestion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * A sink into the memory of this JVM, for jobs that run in it.
 *
 * @param place where what is written is found; one for each test and stream
 */
record KeptIn<T>(String place) implements Sink<T> {

  // Flink makes a copy of a sink per subtask, so that they have nothing else in common.
  private static final Map<String, Queue<Object>> PLACES = new ConcurrentHashMap<>();

  /** What was written so far, in the order in which it came. */
  @SuppressWarnings("unchecked")
  List<T> all() {
    return (List<T>) new ArrayList<>(queue());
  }

  /** Returns when something more was written, and at the latest after that. */
  void awaitMore(Duration patience) throws InterruptedException {
    Queue<Object> queue = queue();
    synchronized (queue) {
      queue.wait(patience.toMillis());
    }
  }

  private Queue<Object> queue() {
    return PLACES.computeIfAbsent(place, p -> new ConcurrentLinkedQueue<>());
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    Queue<Object> queue = queue();
    return new SinkWriter<>() {
      @Override
      public void write(T element, Context sinkContext) {
        queue.add(element);
        synchronized (queue) {
          queue.notifyAll();
        }
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
