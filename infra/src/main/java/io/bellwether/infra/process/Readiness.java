package io.bellwether.infra.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A question asked repeatedly after a start: can the program be used now? */
@FunctionalInterface
public interface Readiness {

  /** Quick, and without side effects. */
  boolean ready() throws InterruptedException;

  /** Ready when this address answers with status 200. */
  static Readiness url(URI address) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(2)).build();
    return () -> {
      try {
        return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException notYet) {
        return false;
      }
    };
  }

  /** Ready when this file exists; the program must write it atomically. */
  static Readiness file(Path file) {
    return () -> Files.exists(file);
  }
}
