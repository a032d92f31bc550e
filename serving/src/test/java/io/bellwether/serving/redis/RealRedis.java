package io.bellwether.serving.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Scanner;
import redis.embedded.RedisServer;

/** A real Redis on a free port of this machine, which can be frozen, stopped and started again. */
final class RealRedis implements AutoCloseable {

  private static final String PID = "process_id:";

  private final int port;
  private RedisServer server;
  private long pid;

  RealRedis() {
    port = freePort();
    server = started();
  }

  int port() {
    return port;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  void stop() {
    try {
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Comes back empty. */
  void start() {
    server = started();
  }

  /** It keeps its connections and does not answer. */
  void freeze() {
    signal("STOP");
  }

  void thaw() {
    signal("CONT");
  }

  @Override
  public void close() {
    thaw();
    stop();
  }

  private RedisServer started() {
    try {
      RedisServer starting =
          RedisServer.newRedisServer().bind("127.0.0.1").port(port).setting("save \"\"").build();
      starting.start();
      pid = askForPid();
      return starting;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private long askForPid() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        Scanner answer = new Scanner(socket.getInputStream(), UTF_8)) {
      socket.getOutputStream().write("INFO server\r\n".getBytes(UTF_8));
      String word = answer.next();
      while (!word.startsWith(PID)) {
        word = answer.next();
      }
      return Long.parseLong(word.substring(PID.length()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
