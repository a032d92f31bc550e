package io.bellwether.infra.platform;

import io.bellwether.infra.process.FolderLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka with our topics, and Redis, running on one data folder, which they own while they run.
 * Whoever starts it closes it. Thread-safe.
 *
 * <p>The folder: {@code kafka/}, {@code redis/}, {@code logs/redis.log}, {@code ports.properties},
 * {@code platform.lock}, and while it runs {@code platform.json}.
 */
public final class Platform implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Platform.class);

  /** A predecessor whose command was killed needs this long to stop in order, at most. */
  private static final Duration PREDECESSOR_ENDS = Duration.ofSeconds(30);

  private final Path addressFile;
  private final FolderLock lock;
  private final EmbeddedKafka kafka;
  private final EmbeddedRedis redis;

  private Platform(Path addressFile, FolderLock lock, EmbeddedKafka kafka, EmbeddedRedis redis) {
    this.addressFile = addressFile;
    this.lock = lock;
    this.kafka = kafka;
    this.redis = redis;
  }

  /** The file with the {@link PlatformAddress} of a platform on this data folder. */
  public static Path addressFile(Path data) {
    return data.resolve("platform.json");
  }

  /** Starts both, creates missing topics, writes {@code platform.json}, and returns. */
  public static Platform start(Path data) throws PlatformFailed, InterruptedException {
    Path folder = data.toAbsolutePath().normalize();
    FolderLock lock = lock(folder);
    EmbeddedRedis redis = null;
    EmbeddedKafka kafka = null;
    try {
      Files.deleteIfExists(addressFile(folder));
      KeptPorts ports = KeptPorts.in(folder.resolve("ports.properties"));
      redis = EmbeddedRedis.start(folder.resolve("redis"), folder.resolve("logs"), ports);
      kafka = EmbeddedKafka.start(folder.resolve("kafka"), ports);
      EmbeddedTopics.createMissing(kafka.bootstrap(), EmbeddedTopics.all());
      Platform platform = new Platform(addressFile(folder), lock, kafka, redis);
      platform.address().write(platform.addressFile);
      return platform;
    } catch (IOException e) {
      stop(kafka, redis, lock);
      throw unusable(folder, e);
    } catch (PlatformFailed | InterruptedException | RuntimeException e) {
      stop(kafka, redis, lock);
      throw e;
    }
  }

  public PlatformAddress address() {
    return new PlatformAddress(
        kafka.bootstrap(), redis.uri(), ProcessHandle.current().pid(), redis.pid());
  }

  /** Waits until Redis has ended: true when {@link #close} ended it, false for an accident. */
  public boolean awaitEnd() throws InterruptedException {
    return redis.awaitEnd();
  }

  /** Stops Kafka, then Redis, and gives the folder free. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(addressFile);
    } catch (IOException e) {
      LOG.warn("{} could not be removed", addressFile, e);
    }
    stop(kafka, redis, lock);
  }

  private static void stop(
      @Nullable EmbeddedKafka kafka, @Nullable EmbeddedRedis redis, FolderLock lock) {
    if (kafka != null) {
      kafka.close();
    }
    if (redis != null) {
      redis.close();
    }
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("The lock of the data folder could not be released", e);
    }
  }

  private static FolderLock lock(Path folder) throws PlatformFailed, InterruptedException {
    try {
      return FolderLock.take(folder, "platform", PREDECESSOR_ENDS)
          .orElseThrow(
              () ->
                  new PlatformFailed(
                      "Another platform is running on " + folder + ".",
                      "Stop it with `./bellwether down`, or use another folder with --data.",
                      null));
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  private static PlatformFailed unusable(Path folder, IOException e) {
    return new PlatformFailed(
        "The data folder " + folder + " cannot be used: " + e,
        "Make it writable, or use another folder with --data.",
        e);
  }
}
