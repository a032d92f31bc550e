package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.trainer.data.ArchiveSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A small shop's archive. Two items are shown by chance, to a new person each time; people click
 * the long one five times as often as the short one.
 *
 * @param folder that holds nothing else
 */
record ShopArchive(Path folder, Surface surface) {
  private static final String SHOP =
      """
      surface: shop
      slate: { size: 1, candidates: { max: 2 } }
      context: [{ name: mood, type: number }]
      history: { signals: [], last: 0 }
      item: [{ name: length, type: number }]
      signals: [{ name: click, type: flag, window: 1m }]
      objective: { maximize: click, discount: 0 }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.001 }
      """;

  private static final long FIRST_MICROS = 1_700_000_000_000_000L;
  private static final long WINDOW_MICROS = 60_000_000;

  static ShopArchive in(Path folder) throws IOException, InvalidSurfaceException {
    Path file = Files.createDirectories(folder).resolve("shop.yaml");
    Files.writeString(file, SHOP);
    return new ShopArchive(folder.resolve("archive"), new SurfaceReader().read(file));
  }

  ArchiveSource source() {
    return new ArchiveSource(folder, surface.name());
  }

  /** Writes so many people's transitions, each so many times and changed as they are written. */
  void write(int people, int times, UnaryOperator<Transition> change) throws IOException {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(folder, "planted")) {
      for (int time = 0; time < times; time++) {
        for (Transition transition :
            IntStream.range(0, people).mapToObj(this::transition).toList()) {
          writer.write(change.apply(transition));
        }
      }
    }
  }

  private Transition transition(int number) {
    String id = "decision-" + number;
    FeatureLayout layout = FeatureLayout.of(surface);
    float[] logits = {0, 0};
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.1, 0.001));
    Slate slate = new SlateSampler().sample(weights, DecisionSeed.seedOf(id), 1);
    int shown = slate.candidates()[0];
    boolean clicked =
        CounterRandom.uniform(number, 1, 0, 0, 0) < (shown == FixedTarget.LONG ? 0.5 : 0.1);
    float[] context = {1, 1};
    float[] items = {0, 1, 1, 1};
    Decision decision =
        Decision.newBuilder()
            .setDecisionId(id)
            .setSurface(surface.name())
            .setSubjectId("subject-" + number)
            .setDecidedAtMicros(FIRST_MICROS + number)
            .setOutcomesUntilMicros(FIRST_MICROS + WINDOW_MICROS + number)
            .setSurfaceDigest(surface.digest())
            .setFeatureDigest(layout.digest())
            .setContext(Floats.toBytes(context, layout.contextWidth()))
            .setHistory(Floats.toBytes(new float[0], 0))
            .setItems(Floats.toBytes(items, 2 * layout.itemWidth()))
            .setRawContext("{}")
            .setCandidateIds(List.of("short", "long"))
            .setLogits(Floats.toBytes(logits, 2))
            .setSlate(
                List.of(
                    new Placement(
                        shown,
                        shown == FixedTarget.LONG ? "long" : "short",
                        slate.propensities()[0])))
            .setSeed(DecisionSeed.seedOf(id))
            .setTemperature(1)
            .setUniform(weights.uniform())
            .setPolicyName("shop")
            .setPolicyVersion("none")
            .build();
    return Transition.newBuilder()
        .setDecision(decision)
        .setSignals(clicked ? List.of(new SignalValue("click", 0, 1.0, 1)) : List.of())
        .setOutcomeCount(clicked ? 1 : 0)
        .setSessionId(id)
        .setStep(0)
        .setNextDecisionId(null)
        .setTerminated(false)
        .setTruncated(true)
        .setJoinedAtMicros(FIRST_MICROS + 2 * WINDOW_MICROS)
        .build();
  }
}
