package io.bellwether.trainer.data;

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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Transitions as serving and ingestion would have written them: slates of two of five items where
 * nothing else is asked for, sessions of three decisions, watching drives the objective, and a
 * promise about likes. Everything is a function of the decision's number.
 */
public final class SyntheticLog {

  /** Candidates that no slate has room for. */
  private static final int SPARE = 3;

  private static final int SESSION = 3;

  private static final String YAML =
      """
      surface: synthetic
      slate: { size: SLATE, candidates: { max: 10 } }
      context:
        - { name: mood, type: number, min: -10, max: 10 }
        - { name: country, type: category, values: [de, fr] }
      history: { signals: [watch], last: 2 }
      item:
        - { name: length, type: number }
        - { name: topic, type: vector, size: 2 }
      signals:
        - { name: like, type: flag, window: 1m }
        - { name: watch, type: number, min: 0, max: 100, window: 1m }
      objective: { maximize: watch, discount: 0.5 }
      constraints:
        - { signal: like, at-least: 90% of champion }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.001 }
      sessions: { gap: 10m }
      ranking: { temperature: 1.0, terms: [{ item: length, weight: 0.5 }] }
      """;

  private final int positions;
  private final int candidates;
  private final Surface surface;
  private final FeatureLayout layout;

  public SyntheticLog() {
    this(2);
  }

  /** Slates of this many items, drawn from three more. */
  public SyntheticLog(int positions) {
    this.positions = positions;
    this.candidates = positions + SPARE;
    try {
      surface =
          new SurfaceReader()
              .parse("synthetic.yaml", YAML.replace("SLATE", "" + positions).getBytes(UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
    layout = FeatureLayout.of(surface);
  }

  /** The declaration of slates of two. */
  public static String yaml() {
    return YAML.replace("SLATE", "2");
  }

  public Surface surface() {
    return surface;
  }

  public static String id(int number) {
    return "decision-" + number;
  }

  /** The transition of one decision, sampled as the surface's own ranking would. */
  public Transition transition(int number) {
    float[] items = items(number);
    float[] logits = new float[candidates];
    for (int i = 0; i < candidates; i++) {
      logits[i] = 0.5f * items[i * layout.itemWidth()];
    }
    Exploration exploration = new Exploration(1, 0.1, 0.001);
    MixedWeights weights = MixedWeights.of(logits, exploration);
    Slate slate = new SlateSampler().sample(weights, DecisionSeed.seedOf(id(number)), positions);
    List<Placement> placements = new ArrayList<>();
    for (int position = 0; position < slate.size(); position++) {
      int candidate = slate.candidates()[position];
      placements.add(new Placement(candidate, "item-" + candidate, slate.propensities()[position]));
    }
    Decision decision = decision(number, items, logits, placements);
    decision.setUniform(weights.uniform());
    boolean last = number % SESSION == SESSION - 1;
    return Transition.newBuilder()
        .setDecision(decision)
        .setSignals(signals(number, items, slate))
        .setOutcomeCount(2)
        .setSessionId(id(number - number % SESSION))
        .setStep(number % SESSION)
        .setNextDecisionId(last ? null : id(number + 1))
        .setTerminated(last && number % 2 == 0)
        .setTruncated(last && number % 2 == 1)
        .setJoinedAtMicros(1_700_000_100_000_000L + number)
        .build();
  }

  private Decision decision(int number, float[] items, float[] logits, List<Placement> placements) {
    float[] context = {(float) draw(number, 0), 1, number % 2 + 1};
    float[] history = new float[layout.historyLength() * layout.historyWidth()];
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < candidates; i++) {
      ids.add("item-" + i);
    }
    return Decision.newBuilder()
        .setDecisionId(id(number))
        .setSurface(surface.name())
        .setSubjectId("subject-" + number / SESSION)
        .setDecidedAtMicros(1_700_000_000_000_000L + number * 1_000_000L)
        .setOutcomesUntilMicros(1_700_000_060_000_000L + number * 1_000_000L)
        .setSurfaceDigest(surface.digest())
        .setFeatureDigest(layout.digest())
        .setContext(Floats.toBytes(context, context.length))
        .setHistory(Floats.toBytes(history, history.length))
        .setItems(Floats.toBytes(items, items.length))
        .setRawContext("{}")
        .setCandidateIds(ids)
        .setLogits(Floats.toBytes(logits, logits.length))
        .setSlate(placements)
        .setSeed(DecisionSeed.seedOf(id(number)))
        .setTemperature(1)
        .setUniform(0.1)
        .setPolicyName("synthetic")
        .setPolicyVersion("none")
        .build();
  }

  private float[] items(int number) {
    float[] items = new float[candidates * layout.itemWidth()];
    for (int i = 0; i < candidates; i++) {
      int at = i * layout.itemWidth();
      items[at] = (float) draw(number, 10 + i);
      items[at + 1] = 1;
      items[at + 2] = (float) draw(number, 20 + i);
      items[at + 3] = (float) draw(number, 30 + i);
    }
    return items;
  }

  private List<SignalValue> signals(int number, float[] items, Slate slate) {
    List<SignalValue> signals = new ArrayList<>();
    for (int position = 0; position < slate.size(); position++) {
      int at = slate.candidates()[position] * layout.itemWidth();
      signals.add(new SignalValue("watch", position, Math.max(0.0, 5 + 2 * items[at + 3]), 1));
      if (CounterRandom.uniform(number, 5, position, 0, 0) < 0.3) {
        signals.add(new SignalValue("like", position, 1.0, 1));
      }
    }
    if (number % 4 == 0) {
      signals.add(new SignalValue("watch", -1, 3.0, 1));
    }
    return signals;
  }

  private static double draw(int number, int what) {
    return CounterRandom.normal(number, 4, what, 0, 0);
  }

  /** Adds transitions to an archive, as files of their own. */
  public static void write(Path root, String name, List<Transition> transitions)
      throws IOException {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(root, name)) {
      for (Transition transition : transitions) {
        writer.write(transition);
      }
    }
  }

  /** The transitions from one number to before another. */
  public List<Transition> transitions(int from, int to) {
    List<Transition> transitions = new ArrayList<>();
    for (int number = from; number < to; number++) {
      transitions.add(transition(number));
    }
    return transitions;
  }
}
