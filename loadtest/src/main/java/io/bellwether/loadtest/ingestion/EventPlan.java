package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.CounterRandom;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of decisions and outcomes in which every record follows from its place, so that it needs
 * no memory, can be read from any place, and has a known right answer.
 *
 * <p>A subject makes {@value #SESSION} decisions in a row. Each has {@value #OUTCOMES} outcomes up
 * to 25 s later, a fiftieth of them after their window of 30 s. The stream is shuffled within
 * blocks; {@value #LATE_PERCENT} % of the outcomes come 48 s late, when their decision's transition
 * is out, and {@value #TWICE_PERCENT} % come twice. Immutable.
 *
 * @param decisions a multiple of {@code block}
 * @param block decisions within which the stream is shuffled, a multiple of 20
 * @param stepMicros from one decision to the next
 * @param paddingBytes by which decisions are made larger, 0 for none
 * @param startMicros of the first decision, microseconds since the epoch
 * @param seed of everything random
 */
record EventPlan(
    long decisions, int block, long stepMicros, int paddingBytes, long startMicros, long seed)
    implements Serializable {

  static final int OUTCOMES = 3;
  static final int LATE_PERCENT = 10;
  static final int TWICE_PERCENT = 5;
  static final int SESSION = 3;
  static final int PARTITIONS = 4;

  private static final long SUBJECTS = 20_000;

  /** When the window of 30 s and the gap of 10 s are over, and before the retention is. */
  private static final long LATE_MICROS = 48_000_000;

  private static final long WINDOW_MICROS = 30_000_000;
  private static final long MOST_DELAY_MICROS = 25_000_000;
  private static final long AFTER_WINDOW_MICROS = 31_000_000;
  private static final int AFTER_WINDOW_ONE_IN = 50;

  private static final int PERMUTE = 1;
  private static final int PICK = 2;
  private static final int DELAY = 3;
  private static final int VALUE = 4;

  EventPlan {
    if (block < 20 || block % 20 != 0 || decisions < block || decisions % block != 0) {
      throw new IllegalArgumentException(
          "%d decisions in blocks of %d, expected whole blocks of a multiple of 20"
              .formatted(decisions, block));
    }
  }

  private int late() {
    return block * OUTCOMES * LATE_PERCENT / 100;
  }

  private int twice() {
    return block * OUTCOMES * TWICE_PERCENT / 100;
  }

  private int punctual() {
    return block * OUTCOMES - late();
  }

  private int slots() {
    return block + punctual() + twice() + late();
  }

  /** How many blocks after its own a late outcome comes. */
  private long lateBlocks() {
    return -Math.floorDiv(-LATE_MICROS, block * stepMicros);
  }

  /** All records: those of the blocks, then the last ones that are late. */
  long records() {
    return blocks() * slots() + lateBlocks() * late();
  }

  long blocks() {
    return decisions / block;
  }

  long endMicros() {
    return startMicros + (decisions + (lateBlocks() + 1) * block) * stepMicros;
  }

  static long subject(long decision) {
    return decision / SESSION % SUBJECTS;
  }

  long decidedAtMicros(long decision) {
    return startMicros + decision * stepMicros;
  }

  long occurredAtMicros(long decision, int outcome) {
    long random = CounterRandom.hash(seed, DELAY, decision, outcome, 0) >>> 1;
    long delay =
        random % AFTER_WINDOW_ONE_IN == 0 ? AFTER_WINDOW_MICROS : random % MOST_DELAY_MICROS;
    return decidedAtMicros(decision) + delay;
  }

  /** Whole seconds; 1 for a like. */
  double value(long decision, int outcome) {
    return outcome == 1 ? 1 : (CounterRandom.hash(seed, VALUE, decision, outcome, 0) >>> 1) % 1_000;
  }

  /**
   * What stands at a place of the stream.
   *
   * @param decision index of the decision
   * @param outcome index of its outcome; -1 for the decision itself
   * @param late whether it comes after its window
   */
  record Planned(long decision, int outcome, boolean late) {}

  /** What stands at this place, in {@code [0, records)}. */
  Planned at(long place) {
    long number = place / slots();
    if (number >= blocks()) {
      long tail = place - blocks() * slots();
      return late(blocks() - lateBlocks() + tail / late(), (int) (tail % late()));
    }
    int slot = shuffled(number, PERMUTE, (int) (place % slots()), slots());
    if (slot < block) {
      return new Planned(number * block + slot, -1, false);
    }
    slot -= block;
    if (slot < punctual()) {
      return outcome(number, late() + slot, false);
    }
    slot -= punctual();
    if (slot < twice()) {
      return outcome(number, late() + slot, false);
    }
    return late(number - lateBlocks(), slot - twice());
  }

  /** An outcome of a block that comes late; of a block before the first, one that comes twice. */
  private Planned late(long number, int index) {
    return number < 0 ? outcome(0, late() + index, false) : outcome(number, index, true);
  }

  /** A place at which a punctual outcome stands. */
  long firstOutcome() {
    long place = 0;
    while (at(place).outcome() < 0 || at(place).late()) {
      place++;
    }
    return place;
  }

  private Planned outcome(long number, int index, boolean late) {
    int picked = shuffled(number, PICK, index, block * OUTCOMES);
    return new Planned(number * block + picked / OUTCOMES, picked % OUTCOMES, late);
  }

  /** A permutation of {@code [0, size)} per block: affine, so that it needs no table. */
  private int shuffled(long number, int tag, int index, int size) {
    long random = CounterRandom.hash(seed, tag, number, 0, 0) >>> 1;
    long factor = random % size;
    while (gcd(factor, size) != 1) {
      factor++;
    }
    return (int) ((factor * index + (random >>> 20) % size) % size);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** A decision of the plan as it is encoded, of which all others are copies. */
  Decision decision() {
    FeatureLayout layout = FeatureLayout.of(BenchSurface.surface());
    int candidates = BenchSurface.ITEMS.size();
    float[] items = new float[candidates * layout.itemWidth()];
    for (int i = 0; i < items.length; i++) {
      items[i] = (float) CounterRandom.uniform(seed, 0, i, 0, 0);
    }
    return Decision.newBuilder()
        .setDecisionId(EventBytes.id('d', 0))
        .setSurface(BenchSurface.NAME)
        .setSubjectId(EventBytes.id('s', 0))
        .setDecidedAtMicros(startMicros)
        .setOutcomesUntilMicros(outcomesUntilMicros(0))
        .setSurfaceDigest("bench")
        .setFeatureDigest(layout.digest())
        .setContext(Floats.toBytes(new float[layout.contextWidth()], layout.contextWidth()))
        .setHistory(ByteBuffer.allocate(0))
        .setItems(Floats.toBytes(items, items.length))
        .setRawContext("{\"note\":\"" + "x".repeat(paddingBytes) + "\"}")
        .setCandidateIds(BenchSurface.ITEMS)
        .setLogits(Floats.toBytes(new float[candidates], candidates))
        .setSlate(List.of(new Placement(2, "i2", 0.1), new Placement(0, "i0", 1.0 / 9)))
        .setSeed(7)
        .setTemperature(1)
        .setUniform(0.1)
        .setPolicyName("bench")
        .setPolicyVersion("0")
        .build();
  }

  /** An outcome of the plan as it is. */
  Outcome outcome(Planned planned) {
    long occurredAt = occurredAtMicros(planned.decision(), planned.outcome());
    return Outcome.newBuilder()
        .setOutcomeId(EventBytes.id('o', outcomeNumber(planned)))
        .setDecisionId(EventBytes.id('d', planned.decision()))
        .setItemId(item(planned.outcome()))
        .setSignal(signal(planned.outcome()))
        .setValue(value(planned.decision(), planned.outcome()))
        .setOccurredAtMicros(occurredAt)
        .setReceivedAtMicros(receivedAtMicros(planned))
        .build();
  }

  long outcomesUntilMicros(long decision) {
    return decidedAtMicros(decision) + WINDOW_MICROS;
  }

  /** The number in an outcome's id. */
  static long outcomeNumber(Planned planned) {
    return planned.decision() * OUTCOMES + planned.outcome();
  }

  static String signal(int outcome) {
    return switch (outcome) {
      case 0 -> "seconds";
      case 1 -> "like";
      default -> "longest";
    };
  }

  static @Nullable String item(int outcome) {
    return switch (outcome) {
      case 0 -> "i2";
      case 1 -> "i0";
      default -> null;
    };
  }

  /** Punctual ones with their block's decisions, so that event time is as even as it can be. */
  long receivedAtMicros(Planned planned) {
    long behind = planned.late() ? lateBlocks() * block * stepMicros : 0;
    return Math.max(
        decidedAtMicros(planned.decision()) + behind + 1,
        occurredAtMicros(planned.decision(), planned.outcome()));
  }
}
