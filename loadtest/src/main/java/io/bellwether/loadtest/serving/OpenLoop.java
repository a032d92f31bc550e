package io.bellwether.loadtest.serving;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Offers HTTP/1.1 requests at times that were fixed beforehand, whether or not earlier ones were
 * answered, and measures each from the moment at which it was due. A service that stands still
 * therefore shows in every request of that time (coordinated omission, as Gil Tene calls what
 * generators that wait leave out).
 *
 * <p>Two threads: the caller's writes requests when they are due, another reads answers. At most
 * one request is on a connection; what is due while none is free waits in order. One object makes
 * one run after the other. Not thread-safe; owns its connections.
 */
final class OpenLoop implements AutoCloseable {

  /** A request without an answer after this long is counted as failed. */
  static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final long LOOK_FOR_TIMEOUTS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LOOK_MILLIS = 20;
  private static final int SOCKET_BYTES = 1 << 18;

  private final InetSocketAddress server;
  private final Selector selector;
  private final List<Connection> all = new ArrayList<>();

  /** Guarded by itself, as is what waits: the two threads meet here. */
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();

  private final ArrayDeque<Due> waiting = new ArrayDeque<>();

  /** Lost ones, to be opened again by the reader. */
  private final ArrayDeque<Connection> lost = new ArrayDeque<>();

  private volatile boolean stopped;

  private record Due(long index, long dueNanos) {}

  OpenLoop(InetSocketAddress server, int connections) throws IOException {
    this.server = server;
    this.selector = Selector.open();
    for (int i = 0; i < connections; i++) {
      Connection connection = new Connection();
      connection.open();
      all.add(connection);
      idle.push(connection);
    }
  }

  /**
   * Offers requests until the time is over or {@link #stop}, then waits for the answers that are
   * missing.
   *
   * @param perSecond the rate of the arrivals, for the report
   */
  LoadReport run(
      RequestSource requests,
      Arrivals arrivals,
      double perSecond,
      long durationNanos,
      AnswerListener listener)
      throws InterruptedException {
    Run run = new Run(requests, listener);
    Thread reader = new Thread(run::read, "answers");
    reader.start();
    long offered = 0;
    long start = System.nanoTime();
    long at = arrivals.nextNanos();
    for (; at < durationNanos && !stopped; at = arrivals.nextNanos()) {
      awaitNanos(start + at);
      run.offer(new Due(offered++, start + at));
    }
    long end = start + (stopped ? at : durationNanos);
    awaitNanos(end);
    run.allOffered(offered);
    selector.wakeup();
    reader.join();
    return run.report(offered, perSecond, start, end);
  }

  /** Ends the run, and every later one at once. May be called from any thread. */
  void stop() {
    stopped = true;
  }

  @Override
  public void close() throws IOException {
    for (Connection each : all) {
      each.abandon();
    }
    selector.close();
  }

  private static void awaitNanos(long at) {
    for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return; // Parking would return at once, over and over.
      }
    }
  }

  /** One run's counts; the fields below the constructor belong to the reading thread. */
  private final class Run {
    private final RequestSource requests;
    private final AnswerListener listener;
    private final Latencies latency = new Latencies();
    private final Latencies service = new Latencies();
    private volatile long expected = Long.MAX_VALUE;

    /** Of the writing thread. */
    private final Latencies lateness = new Latencies();

    private int mostWaiting;
    private long settled;
    private long succeeded;
    private long degraded;
    private long limited;
    private long refused;
    private long failed;
    private long lastNanos;

    Run(RequestSource requests, AnswerListener listener) {
      this.requests = requests;
      this.listener = listener;
    }

    void offer(Due due) {
      Connection free;
      synchronized (idle) {
        free = idle.poll();
        if (free == null) {
          waiting.add(due);
          mostWaiting = Math.max(mostWaiting, waiting.size());
        } else {
          free.take(due);
        }
      }
      if (free != null) {
        lateness.record(System.nanoTime() - due.dueNanos());
        free.send(due, requests);
      }
    }

    void allOffered(long offered) {
      expected = offered;
    }

    void read() {
      long nextLook = System.nanoTime();
      while (settled < expected) {
        try {
          selector.select(LOOK_MILLIS);
        } catch (IOException e) {
          throw new IllegalStateException("the selector failed", e);
        }
        for (Iterator<SelectionKey> ready = selector.selectedKeys().iterator(); ready.hasNext(); ) {
          SelectionKey key = ready.next();
          ready.remove();
          serve((Connection) key.attachment(), key);
        }
        long now = System.nanoTime();
        if (now - nextLook > 0) {
          nextLook = now + LOOK_FOR_TIMEOUTS_NANOS;
          giveUp(now);
        }
        reopen(now);
      }
    }

    private void serve(Connection connection, SelectionKey key) {
      try {
        if (key.isValid() && key.isWritable()) {
          connection.write();
        }
        if (key.isValid() && key.isReadable() && connection.readAnswer()) {
          answered(connection);
          free(connection);
        }
      } catch (IOException | CancelledKeyException e) {
        lose(connection);
      }
    }

    private void answered(Connection connection) {
      long now = System.nanoTime();
      Due due = requireNonNull(connection.due);
      lastNanos = now;
      settled++;
      int status = connection.status;
      if (status >= 200 && status < 300) {
        succeeded++;
        degraded += connection.degraded ? 1 : 0;
        latency.record(now - due.dueNanos());
        service.record(now - connection.sentNanos);
      } else if (status == 429 || status == 503) {
        limited++;
      } else {
        refused++;
      }
      listener.answered(
          due.index(),
          connection.sentNanos,
          status,
          connection.in.array(),
          connection.bodyFrom,
          connection.bodyTo);
    }

    private void free(Connection connection) {
      Due next;
      synchronized (idle) {
        next = waiting.poll();
        connection.take(next);
        if (next == null) {
          idle.push(connection);
        }
      }
      if (next != null) {
        connection.send(next, requests);
      }
    }

    private void lose(Connection connection) {
      synchronized (idle) {
        idle.remove(connection);
        if (connection.busy()) {
          settled++;
          failed++;
        }
        connection.take(null);
      }
      connection.abandon();
      lost.add(connection);
    }

    private void giveUp(long now) {
      for (Connection each : all) {
        if (each.busySince(now - TIMEOUT_NANOS)) {
          lose(each);
        }
      }
      synchronized (idle) {
        while (!waiting.isEmpty() && now - waiting.peek().dueNanos() > TIMEOUT_NANOS) {
          waiting.poll();
          settled++;
          failed++;
        }
      }
    }

    private void reopen(long now) {
      for (int i = lost.size(); i > 0; i--) {
        Connection connection = lost.remove();
        if (now - connection.triedNanos < RECONNECT_NANOS) {
          lost.add(connection);
          continue;
        }
        try {
          connection.open();
          free(connection);
        } catch (IOException away) {
          connection.abandon();
          lost.add(connection);
        }
      }
    }

    LoadReport report(long offered, double perSecond, long start, long end) {
      return new LoadReport(
          offered,
          succeeded,
          degraded,
          limited,
          refused,
          failed,
          perSecond,
          (end - start) / 1e9,
          (Math.max(end, lastNanos) - start) / 1e9,
          mostWaiting,
          latency,
          service,
          lateness);
    }
  }

  /** One connection with at most one request on it. Guarded by itself. */
  private final class Connection {
    private static final int FIRST_BYTES = 1 << 14;

    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private @Nullable ByteBuffer out;
    private ByteBuffer in = ByteBuffer.allocate(FIRST_BYTES);
    private long triedNanos;

    /** The request that it is on; null while it is on none. */
    private @Nullable Due due;

    private long sentNanos;
    private int status;
    private boolean degraded;
    private int bodyFrom;
    private int bodyTo;

    synchronized void open() throws IOException {
      triedNanos = System.nanoTime();
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      opened.socket().setTcpNoDelay(true);
      opened.socket().setSendBufferSize(SOCKET_BYTES);
      opened.socket().connect(server, (int) TimeUnit.NANOSECONDS.toMillis(TIMEOUT_NANOS));
      opened.configureBlocking(false);
      key = opened.register(selector, SelectionKey.OP_READ, this);
    }

    /** Puts it on a request, or on none. */
    synchronized void take(@Nullable Due next) {
      due = next;
      sentNanos = System.nanoTime();
      out = null;
      in.clear();
      bodyFrom = -1;
    }

    synchronized boolean busy() {
      return due != null;
    }

    synchronized boolean busySince(long nanos) {
      return due != null && sentNanos - nanos < 0;
    }

    /** Writes a request, unless the connection was lost meanwhile and the request with it. */
    synchronized void send(Due taken, RequestSource requests) {
      if (due != taken) {
        return;
      }
      sentNanos = System.nanoTime();
      out = ByteBuffer.wrap(requests.request(taken.index()));
      try {
        write();
      } catch (IOException | CancelledKeyException e) {
        // The reader finds the end of the connection, and counts.
        selector.wakeup();
      }
    }

    /** Writes what the socket takes; the selector calls for the rest. */
    synchronized void write() throws IOException {
      ByteBuffer left = out;
      SocketChannel to = channel;
      SelectionKey at = key;
      if (left == null || to == null || at == null) {
        return;
      }
      to.write(left);
      if (left.hasRemaining()) {
        at.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        selector.wakeup();
        return;
      }
      out = null;
      if (at.interestOps() != SelectionKey.OP_READ) {
        at.interestOps(SelectionKey.OP_READ);
      }
    }

    /** Reads what is there; true once the answer is whole. */
    synchronized boolean readAnswer() throws IOException {
      SocketChannel from = channel;
      if (from == null) {
        return false;
      }
      int read = from.read(in);
      if (read < 0) {
        throw new IOException("the service closed the connection");
      }
      if (due == null && read > 0) {
        throw new IOException("an answer that nobody asked for");
      }
      if (bodyFrom < 0 && !readHead()) {
        makeRoom(in.capacity());
        return false;
      }
      makeRoom(bodyTo);
      return in.position() >= bodyTo;
    }

    private void makeRoom(int needed) {
      if (!in.hasRemaining() || in.capacity() < needed) {
        ByteBuffer larger = ByteBuffer.allocate(Math.max(needed, 2 * in.capacity()));
        larger.put(in.flip());
        in = larger;
      }
    }

    private boolean readHead() throws IOException {
      int end = HttpHead.end(in.array(), in.position());
      if (end < 0) {
        return false;
      }
      status = HttpHead.status(in.array());
      degraded = HttpHead.has(in.array(), end, "bellwether-degraded");
      bodyFrom = end;
      bodyTo = end + HttpHead.bodyBytes(in.array(), end, status);
      return true;
    }

    synchronized void abandon() {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        // It is given up in any case.
        channel = null;
      }
    }
  }
}
