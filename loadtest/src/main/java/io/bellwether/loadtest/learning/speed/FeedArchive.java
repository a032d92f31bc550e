package io.bellwether.loadtest.learning.speed;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An archive of transitions as a product of medium size leaves them: one of twenty candidates shown
 * at a time, 64 numbers of context, eight per item, sessions of four. All are usable, so that
 * nothing is saved by leaving rows out. Every number is a function of seed and decision. Immutable.
 */
record FeedArchive(int transitions, long seed) {
  private static final int FILES = 4;
  private static final int CANDIDATES = 20;
  private static final int CONTEXT = 64;
  private static final int SESSION = 4;
  private static final long START_MICROS = 1_700_000_000_000_000L;
  private static final long STEP_MICROS = 1_000_000;
  private static final double UNIFORM = 0.1;
  private static final double MIN_PROPENSITY = 0.001;

  private static final int FEATURE = 1;
  private static final int ITEM = 2;
  private static final int LOGIT = 3;
  private static final int SIGNAL = 4;

  private static final String YAML =
      """
      surface: feed
      slate: { size: 1, candidates: { max: 20 } }
      context:
      %s
      item:
        - { name: embedding, type: vector, size: 8 }
      signals:
        - { name: watch, type: number, min: 0, max: 100, window: 1m }
        - { name: like, type: flag, window: 1m }
      objective: { maximize: watch, discount: 0.9 }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.001 }
      sessions: { gap: 10m }
      """;

  static Surface surface() {
    List<String> context =
        IntStream.range(0, CONTEXT)
            .mapToObj("  - { name: number%d, type: number, min: -10, max: 10 }"::formatted)
            .toList();
    try {
      return new SurfaceReader()
          .parse("feed.yaml", YAML.formatted(String.join("\n", context)).getBytes(UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException("the surface of the benchmark is wrong", e);
    }
  }

  /** Writes the transitions to an empty folder, in a few files. */
  ArchiveSource write(Path folder) throws IOException {
    Surface surface = surface();
    FeatureLayout layout = FeatureLayout.of(surface);
    for (int file = 0; file < FILES; file++) {
      try (TransitionArchiveWriter writer = new TransitionArchiveWriter(folder, "feed" + file)) {
        int to = (int) ((long) transitions * (file + 1) / FILES);
        for (int number = (int) ((long) transitions * file / FILES); number < to; number++) {
          writer.write(transition(number, surface, layout));
        }
      }
    }
    return new ArchiveSource(folder, surface.name());
  }

  private static String id(int number) {
    return "decision-" + number;
  }

  private Transition transition(int number, Surface surface, FeatureLayout layout) {
    float[] logits = normals(LOGIT, number, CANDIDATES);
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, UNIFORM, MIN_PROPENSITY));
    Slate slate = new SlateSampler().sample(weights, DecisionSeed.seedOf(id(number)), 1);
    int shown = slate.candidates()[0];
    List<String> ids = IntStream.range(0, CANDIDATES).mapToObj(i -> "item-" + i).toList();
    float[] context = normals(FEATURE, number, layout.context().size());
    float[] items = normals(ITEM, number, CANDIDATES * layout.itemWidth());
    Decision decision =
        Decision.newBuilder()
            .setDecisionId(id(number))
            .setSurface(surface.name())
            .setSubjectId("subject-" + number / SESSION)
            .setDecidedAtMicros(START_MICROS + number * STEP_MICROS)
            .setOutcomesUntilMicros(START_MICROS + (number + 60) * STEP_MICROS)
            .setSurfaceDigest(surface.digest())
            .setFeatureDigest(layout.digest())
            .setContext(Floats.toBytes(context, context.length))
            .setHistory(Floats.toBytes(new float[0], 0))
            .setItems(Floats.toBytes(items, items.length))
            .setRawContext("{}")
            .setCandidateIds(ids)
            .setLogits(Floats.toBytes(logits, logits.length))
            .setSlate(List.of(new Placement(shown, ids.get(shown), slate.propensities()[0])))
            .setSeed(DecisionSeed.seedOf(id(number)))
            .setTemperature(1)
            .setUniform(weights.uniform())
            .setPolicyName("feed")
            .setPolicyVersion("none")
            .build();
    boolean last = number % SESSION == SESSION - 1 || number == transitions - 1;
    return Transition.newBuilder()
        .setDecision(decision)
        .setSignals(signals(number))
        .setOutcomeCount(1)
        .setSessionId(id(number - number % SESSION))
        .setStep(number % SESSION)
        .setNextDecisionId(last ? null : id(number + 1))
        .setTerminated(last)
        .setTruncated(false)
        .setJoinedAtMicros(START_MICROS + (number + 120) * STEP_MICROS)
        .build();
  }

  private List<SignalValue> signals(int number) {
    List<SignalValue> signals = new ArrayList<>();
    double uniform = CounterRandom.uniform(seed, SIGNAL, number, 0, 0);
    signals.add(new SignalValue("watch", 0, 100 * uniform, 1));
    if (uniform < 0.3) {
      signals.add(new SignalValue("like", 0, 1.0, 1));
    }
    return signals;
  }

  private float[] normals(int tag, int number, int size) {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) CounterRandom.normal(seed, tag, number, i, 0);
    }
    return values;
  }
}
