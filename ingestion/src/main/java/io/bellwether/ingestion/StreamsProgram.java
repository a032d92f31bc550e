package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.AttributionSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attribution job as a program for Flink: the entry class for {@code flink run} and for the
 * Kubernetes operator, which say where it runs and what it continues from. With {@code --cluster}
 * it submits itself, and continues from the newest checkpoint in its data folder.
 *
 * <p>The data folder and that of the surfaces are read and written by every process of the cluster,
 * under the same path.
 */
public final class StreamsProgram {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsProgram.class);

  private StreamsProgram() {}

  /** Takes the options of {@link StreamsMain}, and throws where that ends with a code. */
  public static void main(String[] arguments) throws Exception {
    submit(StreamsOptions.parse(arguments));
  }

  /** Submits the job; where it is for a cluster of its own, returns when it runs there. */
  static JobClient submit(StreamsOptions options) throws Exception {
    StreamsPlan plan = new StreamsPlan(options, AttributionSettings.defaults());
    Optional<Path> newest = Optional.empty();
    if (options.cluster().isPresent()) {
      options.cluster().get().checkAbsent(StreamsPlan.JOB);
      newest = new CheckpointFolder(plan.checkpoints()).newest();
      LOG.info("Continuing from {}", newest.map(Path::toString).orElse("the beginning"));
    }
    Configuration configuration = plan.configuration(newest);
    try (StreamExecutionEnvironment environment =
        options
            .cluster()
            .map(cluster -> cluster.environment(configuration))
            .orElseGet(() -> StreamExecutionEnvironment.getExecutionEnvironment(configuration))) {
      JobClient job = environment.executeAsync(plan.graph(environment));
      if (options.cluster().isPresent()) {
        awaitRunning(job);
      }
      LOG.info("Submitted job {}", job.getJobID());
      return job;
    }
  }

  private static void awaitRunning(JobClient job) throws Exception {
    JobStatus status = job.getJobStatus().get();
    while (status != JobStatus.RUNNING) {
      if (status.isGloballyTerminalState()) {
        throw new IllegalStateException("the job is " + status + ": see the JobManager's log");
      }
      TimeUnit.MILLISECONDS.sleep(100);
      status = job.getJobStatus().get();
    }
  }
}
