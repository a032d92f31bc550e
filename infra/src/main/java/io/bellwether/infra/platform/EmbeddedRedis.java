package io.bellwether.infra.platform;

import io.bellwether.infra.process.ChildFailed;
import io.bellwether.infra.process.ChildProcess;
import io.bellwether.infra.process.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis server as our child, reachable from this machine only, with an append-only file that is
 * flushed every second. Whoever starts it closes it; it ends with us in any case. Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);

  /** Loading a large append-only file takes a while. */
  private static final Duration READY = Duration.ofSeconds(60);

  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int PING_TIMEOUT_MILLIS = 1_000;

  private final ChildProcess server;
  private final int port;

  private EmbeddedRedis(ChildProcess server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Starts the server and returns when it answers.
   *
   * @param folder data of this server alone, created if absent
   * @param logFolder where {@code redis.log} goes
   * @param ports gives the port {@code redis}
   */
  public static EmbeddedRedis start(Path folder, Path logFolder, KeptPorts ports)
      throws PlatformFailed, InterruptedException {
    try {
      Path executable = RedisExecutable.in(folder.resolve("bin"));
      endLeftOver(folder, executable);
      try {
        return startOn(ports.take("redis"), folder, logFolder, executable);
      } catch (ChildFailed lost) {
        LOG.info("{} Trying another port.", lost.getMessage());
        return startOn(ports.replace("redis"), folder, logFolder, executable);
      }
    } catch (IOException | ChildFailed e) {
      throw new PlatformFailed(
          "Redis cannot start in " + folder + ": " + e.getMessage(),
          "Check that the folder can be written and that no other Bellwether uses it.",
          e);
    }
  }

  /** Address for clients, {@code redis://host:port}. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public long pid() {
    return server.pid();
  }

  /** Waits until the server has ended: true when {@link #close} ended it. */
  boolean awaitEnd() throws InterruptedException {
    return server.awaitEnd();
  }

  /** Stops the server in order: everything acknowledged is on disk. */
  @Override
  public void close() {
    server.stop(GRACE);
  }

  private static EmbeddedRedis startOn(int port, Path folder, Path logFolder, Path executable)
      throws IOException, ChildFailed, InterruptedException {
    ChildProcess server =
        ChildProcess.start(
            new Program("redis", command(port, folder, executable), Map.of(), folder), logFolder);
    try {
      server.awaitReady(() -> answers(port), READY);
      return new EmbeddedRedis(server, port);
    } catch (ChildFailed | InterruptedException e) {
      server.kill();
      throw e;
    }
  }

  private static List<String> command(int port, Path folder, Path executable) {
    Path data = folder.toAbsolutePath();
    return List.of(
        executable.toString(),
        "--port",
        Integer.toString(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        data.toString(),
        "--pidfile",
        pidFile(data).toString(),
        // The append-only file is the one durable copy; snapshots would double the writing.
        "--appendonly",
        "yes",
        "--appendfsync",
        "everysec",
        "--save",
        "",
        // Histories carry a time to live and may go first; aliases carry none and must stay.
        "--maxmemory",
        "192mb",
        "--maxmemory-policy",
        "volatile-lru");
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PING_TIMEOUT_MILLIS);
      socket.setSoTimeout(PING_TIMEOUT_MILLIS);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readNBytes(5);
      return new String(reply, StandardCharsets.US_ASCII).equals("+PONG");
    } catch (IOException notYet) {
      return false;
    }
  }

  /** A server whose owner was killed a moment ago may still be closing this very folder. */
  private static void endLeftOver(Path folder, Path executable)
      throws IOException, InterruptedException {
    Optional<ProcessHandle> leftOver = leftOver(pidFile(folder), executable);
    if (leftOver.isEmpty()) {
      return;
    }
    LOG.info("Ending the Redis server {} of an earlier start", leftOver.get().pid());
    leftOver.get().destroy();
    CompletableFuture<ProcessHandle> end = leftOver.get().onExit();
    try {
      end.get(GRACE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException stuck) {
      leftOver.get().destroyForcibly();
      end.join();
    }
  }

  private static Optional<ProcessHandle> leftOver(Path pidFile, Path executable)
      throws IOException {
    String pid = Files.exists(pidFile) ? Files.readString(pidFile).strip() : "";
    if (!pid.matches("\\d{1,18}")) {
      return Optional.empty();
    }
    // The process id may be somebody else's by now: only our own executable is ended.
    return ProcessHandle.of(Long.parseLong(pid))
        .filter(
            process -> process.info().command().filter(executable.toString()::equals).isPresent());
  }

  private static Path pidFile(Path folder) {
    return folder.resolve("redis.pid");
  }
}
