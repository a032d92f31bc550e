package io.bellwether.policy.s3;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * An S3 server in a process of its own: S3Mock, started from its artifact. It looks at a condition
 * and writes afterwards, so it has one thread here, which makes the two one step as in the real
 * store. It believes every signature.
 */
public final class S3Server implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(120);
  private static final Map<String, String> CREDENTIALS =
      Map.of("AWS_ACCESS_KEY_ID", "somebody", "AWS_SECRET_ACCESS_KEY", "a-secret-of-somebody");

  private final Process process;
  private final Path log;
  private final URI endpoint;

  private S3Server(Process process, Path log, URI endpoint) {
    this.process = process;
    this.log = log;
    this.endpoint = endpoint;
  }

  /** Starts a server that keeps what it has in the folder; it takes seconds. */
  public static S3Server start(Path folder) throws IOException, InterruptedException {
    int port = freePort();
    Path log = folder.resolve("server.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar().toString(),
                // The first port is the one that obeys the number of threads.
                "--server.port=" + port,
                "--server.ssl.enabled=false",
                "--com.adobe.testing.s3mock.httpPort=0",
                "--http.port=0",
                "--com.adobe.testing.s3mock.store.root=" + folder.resolve("root"),
                "--server.tomcat.threads.max=1",
                "--server.tomcat.threads.min-spare=1")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    S3Server server = new S3Server(process, log, URI.create("http://127.0.0.1:" + port));
    server.await();
    return server;
  }

  /** A new bucket's address. */
  public StoreAddress.Bucket bucket(String name, String prefix)
      throws IOException, InterruptedException {
    int status = put("/" + name);
    if (status != 200) {
      throw new IOException("the server answered " + status + " to a new bucket");
    }
    return new StoreAddress.Bucket(name, prefix, endpoint, "us-east-1");
  }

  /** Credentials, as an environment has them. */
  public static Map<String, String> credentials() {
    return CREDENTIALS;
  }

  private int put(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(endpoint.resolve(path))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private void await() throws IOException, InterruptedException {
    Instant end = Instant.now().plus(START);
    while (Instant.now().isBefore(end) && process.isAlive()) {
      try {
        put("/is-it-up");
        return;
      } catch (IOException e) {
        // A pause between two tries, which end with the first answer.
        if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
    }
    close();
    throw new IOException("the server did not start:\n" + Files.readString(log));
  }

  /** The jar is on the class path for its path alone; its classes are in jars inside. */
  private static Path jar() throws IOException {
    try {
      return new File(
              Class.forName("org.springframework.boot.loader.launch.JarLauncher")
                  .getProtectionDomain()
                  .getCodeSource()
                  .getLocation()
                  .toURI())
          .toPath();
    } catch (ReflectiveOperationException | java.net.URISyntaxException e) {
      throw new IOException("the server's jar is not on the class path", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
