package io.bellwether.loadtest.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A way to a server of this machine that can be slow or cut: whoever connects here is connected to
 * it. Owns its socket, its connections and a thread for each direction of each. Thread-safe.
 */
public final class SlowNetwork implements AutoCloseable {

  private static final int BUFFER = 64 << 10;
  private static final int CONNECT_MILLIS = 2000;

  private final ServerSocket server;
  private final Target target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "slow-network");
            thread.setDaemon(true);
            return thread;
          });
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean cut;

  /** Where the server is, asked for each connection: it may have moved meanwhile. */
  @FunctionalInterface
  public interface Target {
    int port() throws IOException;
  }

  private SlowNetwork(ServerSocket server, Target target) {
    this.server = server;
    this.target = target;
  }

  /** A way that is as good as any, on a port of its own. */
  public static SlowNetwork to(Target target) throws IOException {
    ServerSocket server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    SlowNetwork network = new SlowNetwork(server, target);
    network.threads.execute(network::accept);
    return network;
  }

  /** Where to connect. */
  public int port() {
    return server.getLocalPort();
  }

  /** Holds up whatever comes, in each direction, for so long. */
  public void slow(Duration each) {
    delay = each;
  }

  /** Breaks all connections, and takes no other until {@link #heal}. */
  public void cut() {
    cut = true;
    breakAll();
  }

  /** Is as good as new. */
  public void heal() {
    delay = Duration.ZERO;
    cut = false;
  }

  private void breakAll() {
    for (Socket socket : open) {
      reset(socket);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        open.add(client);
        threads.execute(() -> connect(client));
      } catch (IOException closed) {
        breakAll();
      }
    }
  }

  private void connect(Socket client) {
    Socket upstream = new Socket();
    open.add(upstream);
    try {
      if (cut) {
        throw new IOException("cut");
      }
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      upstream.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()), CONNECT_MILLIS);
    } catch (IOException e) {
      reset(client);
      reset(upstream);
      return;
    }
    threads.execute(() -> pump(client, upstream));
    pump(upstream, client);
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int count = in.read(buffer);
      while (count >= 0 && !cut) {
        hold();
        out.write(buffer, 0, count);
        count = in.read(buffer);
      }
    } catch (IOException over) {
      // Either end has gone, and takes the other with it.
    } finally {
      reset(from);
      reset(to);
    }
  }

  private void hold() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped", e);
    }
  }

  private void reset(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      // There is nothing left to break.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    breakAll();
    threads.shutdownNow();
  }
}
