package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What a few subjects did within a minute, with all that goes wrong on the way: outcomes outside
 * their window, received late and too late, sent twice by a client that got no answer, from a clock
 * that runs behind, about items that were not shown, of decisions that nobody made.
 *
 * @param outcomes also those that will be refused
 */
record RandomEvents(List<Decision> decisions, List<Outcome> outcomes) {

  /** As in other tests, with a signal of silence. */
  static final Surface SURFACE = surface();

  private static final long START = 100_000_000;
  private static final List<String> SIGNALS =
      List.of("seconds", "like", "first", "last", "leave", "ignored");

  static RandomEvents of(long seed) {
    Random random = new Random(seed);
    List<Decision> decisions = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long decidedAt = START + random.nextInt(30) * 1_000_000L + random.nextInt(3);
      decisions.add(TestEvents.decision("d" + i, "s" + random.nextInt(3), decidedAt));
    }
    for (int i = 0; i < 60; i++) {
      Decision decision = decisions.get(random.nextInt(decisions.size()));
      Outcome outcome = outcome("o" + i, decision, random);
      outcomes.add(outcome);
      if (random.nextInt(4) == 0) {
        outcomes.add(retried(outcome, random));
      }
    }
    Outcome orphan = TestEvents.outcome("orphan", "d0", null, "like", 1, START);
    orphan.setDecisionId("nobody's");
    outcomes.add(orphan);
    return new RandomEvents(decisions, outcomes);
  }

  private static Outcome outcome(String id, Decision decision, Random random) {
    String signal = SIGNALS.get(random.nextInt(SIGNALS.size()));
    boolean flag = signal.equals("like") || signal.equals("leave") || signal.equals("ignored");
    String item = Arrays.asList("i2", "i0", "i1", null).get(random.nextInt(4));
    if (signal.equals("leave")) {
      item = null;
    }
    // Sums of such numbers depend on their order.
    double value = flag ? random.nextInt(2) : random.nextDouble() * 101 / 3;
    long occurredAt = decision.getDecidedAtMicros() - 1_200_000 + random.nextInt(4_000_000);
    Outcome outcome =
        TestEvents.outcome(id, decision.getDecisionId(), item, signal, value, occurredAt);
    int late = random.nextInt(10);
    long delay = random.nextInt(late == 0 ? 80_000_000 : late < 4 ? 40_000_000 : 1_000_000);
    outcome.setReceivedAtMicros(occurredAt + delay);
    return outcome;
  }

  /** The same once more: nobody answered in time, so the client sent it again. */
  private static Outcome retried(Outcome outcome, Random random) {
    return Outcome.newBuilder(outcome)
        .setReceivedAtMicros(outcome.getReceivedAtMicros() + random.nextInt(20_000_000))
        .build();
  }

  /** The same, where some senders use one id for two different things. */
  RandomEvents withCarelessSenders(long seed) {
    Random random = new Random(seed);
    List<Outcome> more = new ArrayList<>(outcomes);
    for (Outcome outcome : outcomes) {
      if (random.nextInt(5) == 0) {
        more.add(
            Outcome.newBuilder(outcome)
                .setItemId(random.nextBoolean() ? "i0" : null)
                .setOccurredAtMicros(outcome.getOccurredAtMicros() - random.nextInt(500_000))
                .build());
      }
    }
    return new RandomEvents(decisions, more);
  }

  private static Surface surface() {
    String yaml =
        TestEvents.SURFACE_YAML.replace(
            "objective:",
            "  - { name: ignored, type: flag, silence-of: [like, seconds] }\nobjective:");
    return parse(yaml);
  }

  static Surface parse(String yaml) {
    try {
      return new SurfaceReader().parse("clips.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
