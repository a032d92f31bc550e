package io.bellwether.ingestion;

import java.util.Collection;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Flink session cluster that runs our jobs: where its JobManager answers. Our classes are on the
 * class path of its processes, as the guide to operations says.
 */
public record SessionCluster(String host, int port) {

  /** Flink's own default. */
  private static final int USUAL_PORT = 8081;

  public SessionCluster {
    if (host.isBlank() || port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "'" + host + ":" + port + "' is no address of a Flink cluster, like 127.0.0.1:8081");
    }
  }

  /**
   * Reads {@code HOST} or {@code HOST:PORT}.
   *
   * @throws IllegalArgumentException when it is neither; the message is for whoever typed it
   */
  public static SessionCluster parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return new SessionCluster(text, USUAL_PORT);
    }
    String port = text.substring(colon + 1);
    if (!port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "'" + text + "' is no address of a Flink cluster, like 127.0.0.1:8081");
    }
    return new SessionCluster(text.substring(0, colon), Integer.parseInt(port));
  }

  /**
   * Where a program submits its job, to run here.
   *
   * @param job what the job asks for
   */
  public StreamExecutionEnvironment environment(Configuration job) {
    Configuration configuration = new Configuration(job);
    addTo(configuration);
    return new StreamExecutionEnvironment(configuration);
  }

  private void addTo(Configuration configuration) {
    configuration.set(DeploymentOptions.TARGET, "remote");
    configuration.set(DeploymentOptions.ATTACHED, true);
    configuration.set(RestOptions.ADDRESS, host);
    configuration.set(RestOptions.PORT, port);
  }

  /**
   * Checks that a job of this name may start.
   *
   * @throws IllegalStateException where one runs: two would end one another's transactions
   */
  void checkAbsent(String job) throws Exception {
    Configuration configuration = new Configuration();
    addTo(configuration);
    try (RestClusterClient<StandaloneClusterId> client =
        new RestClusterClient<>(configuration, StandaloneClusterId.getInstance())) {
      Collection<JobStatusMessage> jobs = client.listJobs().get();
      for (JobStatusMessage each : jobs) {
        if (each.getJobName().equals(job) && !each.getJobState().isGloballyTerminalState()) {
          throw new IllegalStateException(
              "the cluster at "
                  + host
                  + ":"
                  + port
                  + " runs "
                  + job
                  + " already, as "
                  + each.getJobId()
                  + ": stop it with a savepoint first");
        }
      }
    }
  }
}
