package io.bellwether.infra.command;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A small shop's log in a data folder. Two items are shown by chance, to a new person each time;
 * people click the long one five times as often as the short one.
 */
final class ShopLog {
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
      ranking: { temperature: 1.0, terms: [{ item: length, weight: WEIGHT }] }
      """;

  private final Path data;
  private final Surface surface;
  private int writes;

  ShopLog(Path data) throws IOException, InvalidSurfaceException {
    this.data = data;
    this.surface = declare(0);
  }

  /** Declares the shop in the data folder, its ranking by length with this weight. */
  Surface declare(int weight) throws IOException, InvalidSurfaceException {
    Path file = Files.createDirectories(data.resolve("surfaces")).resolve("shop.yaml");
    Files.writeString(file, SHOP.replace("WEIGHT", Integer.toString(weight)));
    return new SurfaceReader().read(file);
  }

  List<Transition> transitions(int count) {
    return IntStream.range(0, count).mapToObj(this::transition).toList();
  }

  /** Adds to the data folder's archive. */
  void write(List<Transition> transitions) throws IOException {
    try (TransitionArchiveWriter writer =
        new TransitionArchiveWriter(data.resolve("archive"), "test-" + ++writes)) {
      for (Transition transition : transitions) {
        writer.write(transition);
      }
    }
  }

  /** What happened to one person. */
  Transition transition(int number) {
    String id = "decision-" + number;
    FeatureLayout layout = FeatureLayout.of(surface);
    float[] logits = {0, 0};
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.1, 0.001));
    Slate slate = new SlateSampler().sample(weights, DecisionSeed.seedOf(id), 1);
    int shown = slate.candidates()[0];
    double chance = shown == 1 ? 0.5 : 0.1;
    boolean clicked = CounterRandom.uniform(number, 1, 0, 0, 0) < chance;
    float[] row = {1, 1};
    // short and long, each with the mark that it is given
    float[] items = {0, 1, 1, 1};
    Decision decision =
        Decision.newBuilder()
            .setDecisionId(id)
            .setSurface("shop")
            .setSubjectId("subject-" + number)
            .setDecidedAtMicros(1_700_000_000_000_000L + number)
            .setOutcomesUntilMicros(1_700_000_060_000_000L + number)
            .setSurfaceDigest(surface.digest())
            .setFeatureDigest(layout.digest())
            .setContext(Floats.toBytes(row, layout.contextWidth()))
            .setHistory(Floats.toBytes(new float[0], 0))
            .setItems(Floats.toBytes(items, 2 * layout.itemWidth()))
            .setRawContext("{}")
            .setCandidateIds(List.of("short", "long"))
            .setLogits(Floats.toBytes(logits, 2))
            .setSlate(
                List.of(
                    new Placement(shown, shown == 1 ? "long" : "short", slate.propensities()[0])))
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
        .setJoinedAtMicros(1_700_000_100_000_000L)
        .build();
  }
}
