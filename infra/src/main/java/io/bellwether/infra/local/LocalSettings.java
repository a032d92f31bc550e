package io.bellwether.infra.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What may differ between two systems on one machine: immutable.
 *
 * @param data folder of everything that is kept; one system at a time
 * @param surfaces folder of the surface declarations
 * @param port of serving; if not given, 8080 or the next that is free
 * @param apiKeys as serving's {@code bellwether.api-keys}; blank for no authentication
 * @param serving further settings of serving, or others than it would get
 */
public record LocalSettings(
    Path data, Path surfaces, OptionalInt port, String apiKeys, Map<String, String> serving) {

  public LocalSettings {
    data = data.toAbsolutePath().normalize();
    surfaces = surfaces.toAbsolutePath().normalize();
    serving = Map.copyOf(serving);
  }

  public LocalSettings(Path data, Path surfaces, OptionalInt port, String apiKeys) {
    this(data, surfaces, port, apiKeys, Map.of());
  }

  Path logs() {
    return data.resolve("logs");
  }

  /** Policy versions: the store's objects. */
  Path store() {
    return data.resolve("store");
  }

  /** Events that serving keeps while Kafka is away. */
  Path spool() {
    return data.resolve("spool");
  }

  String authentication() {
    return apiKeys.isBlank() ? "none" : "keys";
  }
}
