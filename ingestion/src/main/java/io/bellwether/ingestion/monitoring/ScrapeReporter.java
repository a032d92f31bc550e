package io.bellwether.ingestion.monitoring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bellwether.ingestion.event.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows {@link ScrapePage} on a port, with the lag as it was measured in the last seconds. A Kafka
 * that does not answer costs the page its lag, and nothing else. Thread-safe.
 */
final class ScrapeReporter implements MetricReporter {

  private static final Logger LOG = LoggerFactory.getLogger(ScrapeReporter.class);

  private static final int USUAL_PORT = 9249;
  private static final long LAG_EVERY_SECONDS = 5;

  private final ScrapePage page = new ScrapePage();
  private final ExecutorService answering =
      Executors.newSingleThreadExecutor(task -> daemon(task, "metrics page"));
  private final ScheduledExecutorService measuring =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "kafka lag"));

  private volatile List<TopicLag> lags = List.of();
  private @Nullable HttpServer server;

  @Override
  public void open(MetricConfig config) {
    String host = config.getString("host", "127.0.0.1");
    int port = config.getInteger("port", USUAL_PORT);
    try {
      HttpServer opened = HttpServer.create(new InetSocketAddress(host, port), 0);
      opened.createContext("/metrics", this::answer);
      opened.setExecutor(answering);
      opened.start();
      server = opened;
      LOG.info("Metrics are at http://{}:{}/metrics", host, port);
    } catch (IOException e) {
      throw new IllegalStateException(
          "the metrics cannot be shown on " + host + ":" + port + ": " + e.getMessage(), e);
    }
    String kafka = config.getString("kafka", "");
    if (!kafka.isEmpty()) {
      measure(kafka, config.getString("group", ""));
    }
  }

  private void measure(String kafka, String group) {
    KafkaLag lag =
        new KafkaLag(kafka, group, List.of(Topics.DECISIONS, Topics.OUTCOMES, Topics.EXPOSURES));
    var unused =
        measuring.scheduleWithFixedDelay(
            () -> {
              try {
                lags = lag.measure();
              } catch (InterruptedException closing) {
                lag.close();
              } catch (RuntimeException e) {
                lags = List.of();
                LOG.warn("The lag is not known now: {}", e.toString());
              }
            },
            0,
            LAG_EVERY_SECONDS,
            TimeUnit.SECONDS);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] text = page.text(System.currentTimeMillis(), lags).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text);
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    page.add(metric, name, group.getAllVariables());
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    page.remove(metric);
  }

  @Override
  public void close() {
    HttpServer opened = server;
    if (opened != null) {
      opened.stop(0);
    }
    answering.shutdownNow();
    measuring.shutdownNow();
  }
}
