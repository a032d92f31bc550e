package io.bellwether.ingestion;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.attribution.AttributionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams process: decisions and outcomes in, transitions, archive and histories out.
 *
 * <p>With {@code --cluster} it gives the job to that Flink cluster and ends. Otherwise it runs it,
 * and stops in order on SIGTERM, and when its parent is gone. Exits 2 for a wrong command line, 3
 * when it cannot start or the job failed for good.
 */
public final class StreamsMain {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsMain.class);

  private static final int WRONG_USAGE = 2;
  private static final int OUTSIDE_DOWN = 3;

  private StreamsMain() {}

  public static void main(String[] arguments) {
    // Avro reads this once, when it is first used.
    if (System.getProperty(Preflight.TRUSTED_PACKAGES) == null) {
      System.setProperty(Preflight.TRUSTED_PACKAGES, Preflight.OUR_EVENTS);
    }
    StreamsOptions options;
    try {
      options = StreamsOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(WRONG_USAGE);
      return;
    }
    try {
      System.exit(run(options));
    } catch (Exception e) {
      LOG.error("The streams process cannot go on: {}", e.getMessage(), e);
      System.err.println("streams: " + e.getMessage());
      System.exit(OUTSIDE_DOWN);
    }
  }

  private static int run(StreamsOptions options) throws Exception {
    LOG.info("Starting with {}", options);
    Files.createDirectories(options.data());
    if (options.cluster().isPresent()) {
      JobClient job = StreamsProgram.submit(options);
      describe(options, job.getJobID().toHexString(), Optional.empty());
      return 0;
    }
    Streams streams = Streams.start(options, AttributionSettings.defaults());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(streams), "stop streams"));
    describe(options, streams.jobId(), streams.restoredFrom());

    CompletableFuture<Integer> exit = new CompletableFuture<>();
    streams.ended().whenComplete((result, error) -> exit.complete(exitCode(result, error)));
    options.parent().ifPresent(parent -> endWith(parent, exit));
    return exit.get();
  }

  private static int exitCode(@Nullable JobResult result, @Nullable Throwable error) {
    if (result != null && result.getSerializedThrowable().isEmpty()) {
      return 0;
    }
    LOG.error(
        "The job failed for good",
        result == null ? error : result.getSerializedThrowable().orElseThrow());
    return OUTSIDE_DOWN;
  }

  private static void endWith(long parent, CompletableFuture<Integer> exit) {
    ProcessHandle.of(parent)
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null))
        .thenRun(
            () -> {
              LOG.info("Process {} is gone, stopping", parent);
              exit.complete(0);
            });
  }

  private static void stop(Streams streams) {
    try {
      if (!streams.status().isGloballyTerminalState()) {
        streams.stop();
      }
      streams.close();
    } catch (Exception e) {
      LOG.warn("Not stopped in order: {}", e.toString());
    }
  }

  /** Tells other processes that the job runs; replaced as a whole, so nobody reads half of it. */
  private static void describe(StreamsOptions options, String job, Optional<Path> restoredFrom)
      throws IOException {
    Map<String, Object> description = new LinkedHashMap<>();
    description.put("pid", ProcessHandle.current().pid());
    description.put("jobId", job);
    description.put("started", Instant.now().toString());
    description.put("restoredFrom", restoredFrom.map(Path::toString).orElse(null));
    options
        .metricsPort()
        .ifPresent(port -> description.put("metrics", "http://127.0.0.1:" + port + "/metrics"));
    Path data = options.data();
    Path written = Files.createTempFile(data, "streams", ".tmp");
    Files.write(written, new ObjectMapper().writeValueAsBytes(description));
    Files.move(written, data.resolve("streams.json"), StandardCopyOption.ATOMIC_MOVE);
  }
}
