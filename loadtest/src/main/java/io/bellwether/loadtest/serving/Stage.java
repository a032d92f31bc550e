package io.bellwether.loadtest.serving;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.VersionId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Puts onto a service what a scenario's requests need: registered items, histories of subjects, and
 * a champion that answers. Confined to one thread.
 */
final class Stage {
  private static final int ITEMS_PER_CALL = 500;
  private static final long HISTORY_TAG = 4;
  private static final Duration CHAMPION_ANSWERS = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 20;

  private final ServingUnderTest service;
  private final ServiceApi api;
  private final Clock clock;
  private final long seed;

  Stage(ServingUnderTest service, ServiceApi api, Clock clock, long seed) {
    this.service = service;
    this.api = api;
    this.clock = clock;
    this.seed = seed;
  }

  /** Prepares a surface for a scenario; does again what was done before. */
  void prepare(Scenario scenario, Surface surface) throws IOException, InterruptedException {
    registerItems(scenario, surface);
    if (scenario.subjects() > 0) {
      keepHistories(scenario, surface);
    }
    if (service.store().alias(surface.name(), Alias.CHAMPION).isEmpty()) {
      VersionId version = scenario.graph().publish(surface, seed, service.store(), clock);
      service
          .store()
          .move(
              new MoveRequest(
                  surface.name(),
                  Alias.CHAMPION,
                  null,
                  version,
                  "bench",
                  "a graph of the size to be measured",
                  "weights are random: only time is measured"));
      awaitChampion(surface.name(), version.value());
    }
  }

  /** Returns when a version answers. */
  void awaitChampion(String surface, String version) throws IOException, InterruptedException {
    long end = System.nanoTime() + CHAMPION_ANSWERS.toNanos();
    while (!api.serving(surface).equals(version)) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            version + " does not answer after " + CHAMPION_ANSWERS.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private void registerItems(Scenario scenario, Surface surface)
      throws IOException, InterruptedException {
    DecisionRequests.Vectors vectors = DecisionRequests.Vectors.of(FeatureLayout.of(surface));
    for (int from = 0; from < scenario.items(); from += ITEMS_PER_CALL) {
      List<String> items = new ArrayList<>();
      for (int i = from; i < Math.min(scenario.items(), from + ITEMS_PER_CALL); i++) {
        items.add(
            "{\"id\":\"%s\",\"features\":%s}"
                .formatted(
                    DecisionRequests.itemId(i), DecisionRequests.itemFeatures(vectors, i, seed)));
      }
      api.register(surface.name(), "[" + String.join(",", items) + "]");
    }
  }

  private void keepHistories(Scenario scenario, Surface surface) {
    FeatureLayout layout = FeatureLayout.of(surface);
    RedisClient client = RedisClient.create(service.redis());
    try (StatefulRedisConnection<byte[], byte[]> redis = client.connect(ByteArrayCodec.INSTANCE)) {
      for (int subject = 0; subject < scenario.subjects(); subject++) {
        String key = SubjectHistory.redisKey(surface.name(), DecisionRequests.subjectId(subject));
        redis
            .sync()
            .set(key.getBytes(StandardCharsets.UTF_8), history(layout, subject).toBytes(layout));
      }
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private SubjectHistory history(FeatureLayout layout, int subject) {
    long now = TimeUnit.MILLISECONDS.toMicros(clock.millis());
    int signals = layout.historyWidth() - 2 - layout.itemWidth();
    List<SubjectHistory.Entry> entries = new ArrayList<>();
    for (int row = 0; row < layout.historyLength(); row++) {
      float[] item = new float[layout.itemWidth()];
      for (int i = 0; i < item.length; i++) {
        item[i] = (float) CounterRandom.normal(seed, HISTORY_TAG, subject, row, i);
      }
      entries.add(
          new SubjectHistory.Entry(
              now - TimeUnit.MINUTES.toMicros(layout.historyLength() - row),
              "",
              item,
              new float[signals]));
    }
    return new SubjectHistory(entries);
  }
}
