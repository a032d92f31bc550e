package io.bellwether.ingestion.monitoring;

import java.util.Properties;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Makes the reporter that shows this process's part of the job under {@code /metrics}. Flink finds
 * it by its name, in a cluster as here:
 *
 * <pre>
 * metrics.reporters: bellwether
 * metrics.reporter.bellwether.factory.class: io.bellwether.ingestion.monitoring.ScrapeReporterFactory
 * metrics.reporter.bellwether.host: 0.0.0.0
 * metrics.reporter.bellwether.port: 9249
 * </pre>
 *
 * <p>With {@code kafka} and {@code group} in addition, which one process of a cluster has, the page
 * has the lag as well.
 */
public final class ScrapeReporterFactory implements MetricReporterFactory {

  private static final String NAME = "bellwether";
  private static final String PREFIX = "metrics.reporter." + NAME + ".";

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return new ScrapeReporter();
  }

  /**
   * Lets a Flink in this process show its metrics, on this machine's own address.
   *
   * @param kafka {@code host:port}, several separated by commas
   * @param group whose lag it is
   */
  public static void addTo(Configuration configuration, int port, String kafka, String group) {
    configuration.setString("metrics.reporters", NAME);
    configuration.setString(PREFIX + "factory.class", ScrapeReporterFactory.class.getName());
    configuration.setString(PREFIX + "host", "127.0.0.1");
    configuration.setString(PREFIX + "port", Integer.toString(port));
    configuration.setString(PREFIX + "kafka", kafka);
    configuration.setString(PREFIX + "group", group);
  }
}
