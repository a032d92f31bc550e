package io.bellwether.serving.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An address that leads somewhere: to one store, to another one, or nowhere. Thread-safe. */
final class Wire implements AutoCloseable {

  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int to;
  private volatile boolean swallowing;

  Wire(int to) {
    this.to = to;
    try {
      door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  String address() {
    return "127.0.0.1:" + door.getLocalPort();
  }

  /** Everything is taken and nothing comes back: on what is open, and on what will be. */
  void swallow(boolean everything) {
    swallowing = everything;
  }

  /** Leads to another store from now on, and cuts what is open. */
  void lead(int port) {
    to = port;
    open.forEach(Wire::close);
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(Wire::close);
  }

  private void accept() {
    try {
      while (true) {
        Socket near = door.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), to);
        open.add(near);
        open.add(far);
        daemon(() -> carry(near, far));
        daemon(() -> carry(far, near));
      }
    } catch (IOException e) {
      // The door was closed: the test is over.
    }
  }

  private void carry(Socket from, Socket into) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = into.getOutputStream()) {
      boolean cut = false;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        cut |= swallowing; // Half of a conversation would be worse than none of it.
        if (!cut) {
          out.write(buffer, 0, count);
        }
      }
    } catch (IOException e) {
      // One end has gone, and the other one goes with it.
    }
    close(from);
    close(into);
    open.remove(from);
    open.remove(into);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "wire");
    thread.setDaemon(true);
    thread.start();
  }
}
