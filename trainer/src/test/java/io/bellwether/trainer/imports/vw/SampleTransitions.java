package io.bellwether.trainer.imports.vw;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Decisions as serving makes them, of three shops' visitors who are shown teas. */
final class SampleTransitions {

  static final long MICROS = 1_767_225_600_123_456L;

  private static final String SURFACE =
      """
      surface: teas
      slate: { size: %d, candidates: { max: 10 } }
      context:
        - { name: Shop-town, type: category, values: [Bonn, "New Ulm"] }
        - { name: hour, type: number }
      item:
        - { name: taste, type: vector, size: 2 }
        - { name: price, type: number }
        - { name: leaf, type: category, values: [black, green] }
        - { name: marks, type: categories, values: [bio, fair, new], max: 3 }
        - { name: cold, type: flag }
      signals:
        - { name: click, type: number, window: 1h }
        - { name: look, type: flag, window: 1h }
      objective: { maximize: click, discount: 0 }
      """;

  final Surface surface;
  private final SplittableRandom random;
  private final SlateSampler sampler = new SlateSampler();
  private final ObjectMapper json = new ObjectMapper();

  SampleTransitions(int slateSize, long seed) throws InvalidSurfaceException {
    surface = new SurfaceReader().parse("teas", SURFACE.formatted(slateSize).getBytes(UTF_8));
    random = new SplittableRandom(seed);
  }

  /** The decision of this number, with a click's value of 1 at the first position now and then. */
  Transition next(int number, boolean inline) throws IOException {
    int count = 3 + random.nextInt(3);
    List<String> ids = new ArrayList<>();
    StringBuilder items = new StringBuilder("[");
    float[] logits = new float[count];
    for (int i = 0; i < count; i++) {
      ids.add("tea " + i);
      items
          .append(i == 0 ? "" : ",")
          .append(
              "{\"taste\":[%s,%s],\"price\":%s,\"leaf\":\"%s\",\"marks\":[\"%s\"],\"cold\":%s}"
                  .formatted(
                      quarter(),
                      quarter(),
                      quarter(),
                      random.nextBoolean() ? "black" : "green",
                      random.nextBoolean() ? "bio" : "fair",
                      random.nextBoolean()));
      logits[i] = (float) random.nextDouble(-1, 1);
    }
    items.append(']');
    String context =
        "{\"Shop-town\":\"%s\",\"hour\":%s}"
            .formatted(random.nextBoolean() ? "Bonn" : "New Ulm", quarter());
    Slate slate =
        sampler.sample(
            MixedWeights.of(logits, Exploration.asUsed(0.5, 0.1)),
            random.nextLong(),
            surface.slateSize());
    List<Placement> placements = new ArrayList<>();
    for (int i = 0; i < slate.size(); i++) {
      placements.add(
          Placement.newBuilder()
              .setCandidate(slate.candidates()[i])
              .setItemId(ids.get(slate.candidates()[i]))
              .setPropensity(slate.propensities()[i])
              .build());
    }
    String id = "d-" + number;
    Decision decision =
        Decision.newBuilder()
            .setDecisionId(id)
            .setSurface(surface.name())
            .setSubjectId("s" + number)
            .setDecidedAtMicros(MICROS + number)
            .setOutcomesUntilMicros(MICROS + number + 3_600_000_000L)
            .setSurfaceDigest(surface.digest())
            .setFeatureDigest(FeatureLayout.of(surface).digest())
            .setContext(ByteBuffer.allocate(0))
            .setHistory(ByteBuffer.allocate(0))
            .setItems(encoded(items.toString(), count))
            .setRawContext(context)
            .setRawItems(inline ? items.toString() : null)
            .setCandidateIds(ids)
            .setLogits(Floats.toBytes(logits, count))
            .setSlate(placements)
            .setSeed(number)
            .setTemperature(0.5)
            .setUniform(0.1)
            .setPolicyName("teas")
            .setPolicyVersion("v" + number % 3)
            .build();
    return joined(decision, random.nextInt(3) == 0 ? 1 : 0);
  }

  private static Transition joined(Decision decision, double click) {
    List<SignalValue> signals = new ArrayList<>();
    List<Observation> outcomes = new ArrayList<>();
    for (String signal : click == 0 ? List.<String>of() : List.of("click", "look")) {
      signals.add(
          SignalValue.newBuilder()
              .setSignal(signal)
              .setPosition(0)
              .setValue(click)
              .setOutcomes(1)
              .build());
      outcomes.add(
          Observation.newBuilder()
              .setOutcomeId(decision.getDecisionId() + signal)
              .setSignal(signal)
              .setPosition(0)
              .setValue(click)
              .setOccurredAtMicros(decision.getDecidedAtMicros())
              .setReceivedAtMicros(decision.getDecidedAtMicros())
              .build());
    }
    return Transition.newBuilder()
        .setDecision(decision)
        .setSignals(signals)
        .setOutcomeCount(signals.size())
        .setSessionId(decision.getDecisionId())
        .setStep(0)
        .setTerminated(false)
        .setTruncated(true)
        .setJoinedAtMicros(decision.getOutcomesUntilMicros())
        .setOutcomes(outcomes)
        .build();
  }

  private ByteBuffer encoded(String items, int count) throws IOException {
    FeatureEncoder encoder = new FeatureEncoder(surface.item());
    float[] rows = new float[count * encoder.width()];
    List<Violation> violations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      encoder.encode(json.readTree(items).get(i), "#", rows, i * encoder.width(), violations);
    }
    if (!violations.isEmpty()) {
      throw new IllegalStateException(violations.toString());
    }
    return Floats.toBytes(rows, rows.length);
  }

  /** A multiple of 0.25, which 32-bit floats hold exactly. */
  private double quarter() {
    return random.nextInt(-8, 9) / 4.0;
  }
}
