package io.bellwether.ingestion;

import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the streams process is told on its command line.
 *
 * @param kafka {@code host:port}, several separated by commas
 * @param redis as Lettuce writes it, for instance {@code redis://127.0.0.1:6379}
 * @param surfaces folder of the surface files
 * @param data folder for the archive, the checkpoints and {@code streams.json}
 * @param parallelism subtasks per operator, at least 1
 * @param checkpointInterval also how soon transitions become visible
 * @param parent process id; when that process ends, so does this one
 * @param stateBackend {@code hashmap}: state in the heap; {@code rocksdb}: on the disk, for windows
 *     of days
 * @param metricsPort where this process shows its metrics; none: nowhere
 * @param cluster that the job is given to; none: it runs in this process
 */
public record StreamsOptions(
    String kafka,
    String redis,
    Path surfaces,
    Path data,
    int parallelism,
    Duration checkpointInterval,
    OptionalLong parent,
    String stateBackend,
    OptionalInt metricsPort,
    Optional<SessionCluster> cluster) {

  static final String USAGE =
      "StreamsMain --kafka HOST:PORT --redis URI --surfaces DIR --data DIR"
          + " [--parallelism 2] [--checkpoint-interval 1s] [--parent PID]"
          + " [--state-backend hashmap|rocksdb] [--metrics-port PORT] [--cluster HOST:PORT]";

  private static final Set<String> REQUIRED = Set.of("kafka", "redis", "surfaces", "data");
  private static final Set<String> OPTIONAL =
      Set.of(
          "parallelism",
          "checkpoint-interval",
          "parent",
          "state-backend",
          "metrics-port",
          "cluster");

  private static final Set<String> BACKENDS = Set.of("hashmap", "rocksdb");

  /** State in the heap, no metrics, in this process. */
  public StreamsOptions(
      String kafka,
      String redis,
      Path surfaces,
      Path data,
      int parallelism,
      Duration checkpointInterval,
      OptionalLong parent) {
    this(
        kafka,
        redis,
        surfaces,
        data,
        parallelism,
        checkpointInterval,
        parent,
        "hashmap",
        OptionalInt.empty(),
        Optional.empty());
  }

  /**
   * Reads {@code --name value} pairs.
   *
   * @throws IllegalArgumentException when one is unknown, absent or no such value; the message is
   *     for whoever typed it
   */
  static StreamsOptions parse(String... arguments) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!REQUIRED.contains(name) && !OPTIONAL.contains(name)) {
        throw new IllegalArgumentException("unknown option '" + arguments[i] + "'; " + USAGE);
      }
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException("--" + name + " needs a value; " + USAGE);
      }
      values.put(name, arguments[i + 1]);
    }
    for (String name : REQUIRED) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException("--" + name + " is missing; " + USAGE);
      }
    }
    String parent = values.get("parent");
    return new StreamsOptions(
        values.getOrDefault("kafka", ""),
        values.getOrDefault("redis", ""),
        Path.of(values.getOrDefault("surfaces", "")).toAbsolutePath(),
        Path.of(values.getOrDefault("data", "")).toAbsolutePath(),
        positive("parallelism", values.getOrDefault("parallelism", "2")),
        duration(values.getOrDefault("checkpoint-interval", "1s")),
        parent == null ? OptionalLong.empty() : OptionalLong.of(positive("parent", parent)),
        backend(values.getOrDefault("state-backend", "hashmap")),
        port(values.get("metrics-port")),
        Optional.ofNullable(values.get("cluster")).map(SessionCluster::parse));
  }

  private static String backend(String text) {
    if (!BACKENDS.contains(text)) {
      throw new IllegalArgumentException(
          "--state-backend is '" + text + "', neither hashmap nor rocksdb");
    }
    return text;
  }

  private static OptionalInt port(@Nullable String text) {
    if (text == null) {
      return OptionalInt.empty();
    }
    int port = positive("metrics-port", text);
    if (port > 65_535) {
      throw new IllegalArgumentException("--metrics-port is " + port + ", above 65535");
    }
    return OptionalInt.of(port);
  }

  private static int positive(String name, String text) {
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException("--" + name + " is '" + text + "', not a number above 0");
    }
    return Integer.parseInt(text);
  }

  private static Duration duration(String text) {
    try {
      Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException("--checkpoint-interval is '" + text + "', not above 0");
      }
      return duration;
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "--checkpoint-interval is '" + text + "', not a time like 1s or 1m", e);
    }
  }
}
