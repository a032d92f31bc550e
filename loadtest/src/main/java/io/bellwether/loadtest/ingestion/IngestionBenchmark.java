package io.bellwether.loadtest.ingestion;

import com.sun.management.OperatingSystemMXBean;
import io.bellwether.ingestion.attribution.Received;
import io.bellwether.loadtest.ingestion.IngestionResult.Cost;
import io.bellwether.loadtest.ingestion.IngestionResult.Restarted;
import io.bellwether.loadtest.ingestion.IngestionResult.Round;
import io.bellwether.policy.scoring.CounterRandom;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.runtime.jobgraph.JobGraph;

/**
 * Measures the join: beside an empty pipeline over the same records in the same JVM, against a slow
 * join by the written rules, over restarts at chance moments, by what it holds per open decision,
 * with large events through Kafka, and what the histories that come out of it take in Redis.
 */
public final class IngestionBenchmark {

  private static final int BLOCK = 4_000;
  private static final long STEP_MICROS = 1_000;
  private static final long WARM_UP = 40_000;
  private static final long RESTARTED = 100_000;
  private static final double SECONDS_BETWEEN_RESTARTS = 1.2;
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(300);
  private static final Duration NEVER = Duration.ofDays(1);
  private static final int MOMENT = 11;

  private final IngestionExtent extent;
  private final long seed;
  private final Clock clock;
  private final Consumer<String> progress;

  public IngestionBenchmark(
      IngestionExtent extent, long seed, Clock clock, Consumer<String> progress) {
    this.extent = extent;
    this.seed = seed;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Runs it all.
   *
   * @param source starts what lies outside this JVM
   * @param work folder for checkpoints
   */
  public IngestionResult run(StreamsUnderTest.Source source, Path work) throws Exception {
    long began = System.nanoTime();
    try (LocalCluster cluster = LocalCluster.start()) {
      progress.accept("Warming up");
      round(cluster, plan(WARM_UP));
      List<Round> rounds = rounds(cluster);
      Restarted restarted = restarts(cluster, work.resolve("restarts"));
      long openBytes = openState(cluster, work.resolve("state"));
      progress.accept("Starting Kafka and Redis");
      return source.with(
          system -> {
            HistoryMemory.Used histories = histories(system);
            LargeEvents.Seen large =
                LargeEvents.measure(
                    cluster, system, extent.large(), seed, clock, work.resolve("large"), progress);
            return new IngestionResult(
                extent,
                seed,
                rounds,
                restarted,
                extent.open(),
                openBytes,
                large,
                histories,
                (System.nanoTime() - began) / 1e9);
          });
    }
  }

  private HistoryMemory.Used histories(StreamsUnderTest system) throws Exception {
    progress.accept("Filling Redis with histories of %,d subjects".formatted(extent.subjects()));
    return HistoryMemory.measure(system.redis(), extent.subjects(), seed);
  }

  private EventPlan plan(long decisions) {
    return new EventPlan(decisions, BLOCK, STEP_MICROS, 0, clock.millis() * 1_000, seed);
  }

  private List<Round> rounds(LocalCluster cluster) throws Exception {
    List<Round> rounds = new ArrayList<>();
    for (int i = 1; i <= extent.rounds(); i++) {
      progress.accept(
          "Joining %,d decisions, round %d of %d"
              .formatted(extent.decisions(), i, extent.rounds()));
      rounds.add(round(cluster, plan(extent.decisions())));
    }
    return rounds;
  }

  private static Round round(LocalCluster cluster, EventPlan plan) throws Exception {
    Cost empty = cost(cluster, LocalCluster.emptyPipeline(all(plan)));
    Ledger ledger = Ledger.open("round", plan.decisions());
    try {
      Cost join = cost(cluster, LocalCluster.join(plan, all(plan), "round"));
      long wrong = new ReferenceJoin(plan).wrong(ledger);
      return new Round(plan.records(), empty, join, plan.decisions(), ledger.transitions(), wrong);
    } finally {
      ledger.close();
    }
  }

  private static Source<Received, ?, ?> all(EventPlan plan) {
    return RecordSource.bounded(plan, RateLimiterStrategy.noOp());
  }

  private static Cost cost(LocalCluster cluster, JobGraph job) throws Exception {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long cpu = system.getProcessCpuTime();
    long began = System.nanoTime();
    cluster.run(job);
    return new Cost((System.nanoTime() - began) / 1e9, (system.getProcessCpuTime() - cpu) / 1e9);
  }

  /** Cuts the job off at chance moments, and lets it end at last. */
  private Restarted restarts(LocalCluster cluster, Path checkpoints) throws Exception {
    EventPlan plan = plan(RESTARTED);
    // Slow enough that there is something left after the last restart.
    double seconds = extent.restarts() * SECONDS_BETWEEN_RESTARTS + 5;
    RateLimiterStrategy<?> rate = RateLimiterStrategy.perSecond(plan.records() / seconds);
    Ledger ledger = Ledger.open("restarts", plan.decisions());
    try {
      int restarts = 0;
      boolean ended = false;
      while (!ended) {
        Optional<Path> from = LocalCluster.newestCheckpoint(checkpoints);
        JobID job =
            cluster.start(
                LocalCluster.checkpointedJoin(
                    plan,
                    RecordSource.bounded(plan, rate),
                    "restarts",
                    Files.createDirectories(checkpoints),
                    CHECKPOINT_INTERVAL,
                    from));
        if (restarts < extent.restarts() && !cluster.endsWithin(job, moment(restarts))) {
          cluster.cancel(job);
          restarts++;
          progress.accept("Cut off %d of %d times".formatted(restarts, extent.restarts()));
        } else {
          cluster.end(job);
          ended = true;
        }
      }
      return new Restarted(restarts, plan.decisions(), new ReferenceJoin(plan).wrong(ledger));
    } finally {
      ledger.close();
    }
  }

  /** Between half and one and a half times the mean. */
  private Duration moment(int restart) {
    double share = 0.5 + CounterRandom.uniform(seed, MOMENT, restart, 0, 0);
    return Duration.ofMillis(Math.round(1_000 * SECONDS_BETWEEN_RESTARTS * share));
  }

  /** What the job holds while no window is over. */
  private long openState(LocalCluster cluster, Path checkpoints) throws Exception {
    progress.accept("Measuring the state of %,d open decisions".formatted(extent.open()));
    EventPlan plan = plan(extent.open());
    Ledger ledger = Ledger.open("state", plan.decisions());
    try {
      JobID job =
          cluster.start(
              LocalCluster.checkpointedJoin(
                  plan,
                  RecordSource.endless(plan, "state"),
                  "state",
                  Files.createDirectories(checkpoints),
                  NEVER,
                  Optional.empty()));
      ledger.awaitReaders();
      long bytes = cluster.stateBytes(job, checkpoints);
      cluster.cancel(job);
      return bytes;
    } finally {
      ledger.close();
    }
  }
}
