package io.bellwether.infra.command;

import io.bellwether.infra.local.RunningSystem;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which running service a verb speaks to: the one on the data folder, or any other by its URL. */
final class ServiceOption {
  /** As `up` reads it: several keys, separated by commas. */
  private static final String KEYS = "BELLWETHER_API_KEYS";

  private static final String ADMIN_KEYS = "BELLWETHER_ADMIN_KEYS";

  @Mixin private final DataOption data = new DataOption();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "A running service (default: the one on the data folder). Its key is the first of the"
              + " variable BELLWETHER_API_KEYS.")
  private @Nullable URI url;

  ServiceClient client() throws IOException {
    return client(System.getenv().getOrDefault(KEYS, ""));
  }

  /** With a key of the scope {@code admin}, where the variable names one. */
  ServiceClient admin() throws IOException {
    String keys = System.getenv().getOrDefault(ADMIN_KEYS, "");
    return keys.isBlank() ? client() : client(keys);
  }

  private ServiceClient client(String keys) throws IOException {
    return new ServiceClient(url == null ? onData() : url, keys.split(",", -1)[0].strip());
  }

  private URI onData() throws IOException {
    Optional<RunningSystem> running = RunningSystem.on(data.folder());
    return URI.create(
        running
            .orElseThrow(
                () ->
                    CommandFailed.unavailable(
                        "No Bellwether runs on " + data.folder() + ".",
                        "Start one with `./bellwether up`, or name another with --url.",
                        null))
            .url());
  }
}
