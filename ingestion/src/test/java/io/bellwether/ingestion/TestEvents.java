package io.bellwether.ingestion;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A small surface with windows of seconds, and events of it. */
public final class TestEvents {

  /** Two of four candidates are shown: 2 at position 0, 0 at position 1. */
  public static final List<String> CANDIDATES = List.of("i0", "i1", "i2", "i3");

  public static final String SURFACE_YAML =
      """
      surface: clips
      slate: { size: 2, candidates: { max: 4 } }
      context:
        - { name: hour, type: number }
      history: { signals: [seconds, like], last: 3 }
      item:
        - { name: age, type: number }
      signals:
        - { name: seconds, type: number, min: 0, max: 100, window: 2s }
        - { name: like, type: flag, window: 1s }
        - { name: first, type: number, min: 0, max: 100, window: 2s, aggregate: first }
        - { name: last, type: number, min: 0, max: 100, window: 2s, aggregate: last }
        - { name: leave, type: flag, window: 2s }
      objective: { maximize: seconds, discount: 0.9 }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.001 }
      sessions: { gap: 3s, ends-with: leave }
      """;

  private TestEvents() {}

  public static Surface surface() {
    try {
      return new SurfaceReader().parse("clips.yaml", SURFACE_YAML.getBytes(StandardCharsets.UTF_8));
    } catch (Exception e) {
      throw new IllegalStateException("the surface of the tests is wrong", e);
    }
  }

  /** A decision whose item {@code i} has the features {@code (i, 1)}. */
  public static Decision decision(String id, String subject, long decidedAtMicros) {
    FeatureLayout layout = FeatureLayout.of(surface());
    List<Float> items = new ArrayList<>();
    for (int i = 0; i < CANDIDATES.size(); i++) {
      items.add((float) i);
      items.add(1f);
    }
    return Decision.newBuilder()
        .setDecisionId(id)
        .setSurface("clips")
        .setSubjectId(subject)
        .setDecidedAtMicros(decidedAtMicros)
        .setOutcomesUntilMicros(decidedAtMicros + 2_000_000)
        .setSurfaceDigest("s")
        .setFeatureDigest(layout.digest())
        .setContext(floats(List.of(1f, 1f)))
        .setHistory(floats(List.of()))
        .setItems(floats(items))
        .setRawContext("{}")
        .setCandidateIds(CANDIDATES)
        .setLogits(floats(List.of(0f, 0f, 0f, 0f)))
        .setSlate(List.of(new Placement(2, "i2", 0.25), new Placement(0, "i0", 1.0 / 3)))
        .setSeed(7)
        .setTemperature(1)
        .setUniform(0.1)
        .setPolicyName("uniform")
        .setPolicyVersion("0")
        .build();
  }

  public static Outcome outcome(
      String id,
      String decisionId,
      @Nullable String itemId,
      String signal,
      double value,
      long occurredAtMicros) {
    return Outcome.newBuilder()
        .setOutcomeId(id)
        .setDecisionId(decisionId)
        .setItemId(itemId)
        .setSignal(signal)
        .setValue(value)
        .setOccurredAtMicros(occurredAtMicros)
        .setReceivedAtMicros(occurredAtMicros + 10_000)
        .build();
  }

  /** Of a decision that was shown at once, by the unit of its subject. */
  public static Exposure.Builder exposure(
      String decisionId,
      String subject,
      String experiment,
      int phase,
      String variant,
      long decidedAtMicros) {
    return Exposure.newBuilder()
        .setExposureId(decisionId + "/" + experiment + "/" + variant)
        .setExperiment(experiment)
        .setPhase(phase)
        .setVariant(variant)
        .setKind(ExposureKind.SHOWN)
        .setSurface("clips")
        .setSubjectId(subject)
        .setUnit(subject)
        .setBucket(7)
        .setDecisionId(decisionId)
        .setDecidedAtMicros(decidedAtMicros)
        .setExposedAtMicros(decidedAtMicros)
        .setPolicyVersion("0");
  }

  private static ByteBuffer floats(List<Float> values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.size() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    values.forEach(bytes::putFloat);
    return bytes.flip();
  }
}
