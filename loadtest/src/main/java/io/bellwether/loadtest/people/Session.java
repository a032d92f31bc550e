package io.bellwether.loadtest.people;

import static io.bellwether.policy.scoring.CounterRandom.normal;
import static io.bellwether.policy.scoring.CounterRandom.uniform;

import java.util.List;

/**
 * The state of one person's visit: topic memory, fatigue and mood change with every video until the
 * person leaves ({@link #hasLeft}) or the visit is cut off after {@link ShortVideoWorld#MAX_STEPS}.
 * Confined to one thread.
 *
 * <pre>
 * x = p·v (taste, topic)   w = σ(-0.9 + 1.6x + 0.4q + 1.6κb - 0.6f + 0.5ε)   watched seconds = D·w
 * chance of reaction k = σ(c0 + c_x·x + c_q·q + c_b·b + c_f·f + c_s·s), with κb in place of b for the click
 * z ← 0.8z + 0.2v   f ← 0.8f + 0.15b + 0.5·max(0, max(0, z·v) - 0.5)   ψ ← 0.9ψ + 0.1(0.7x + 0.4q - 0.6b)
 * chance to leave = σ(-2.9 + 0.7f - 1.6ψ), with the new f and ψ
 * p taste, v topic, q quality, b bait, D duration, κ bait susceptibility, s sociability,
 * z topic memory, f fatigue, ψ mood, ε standard normal noise
 * </pre>
 */
public final class Session {
  /** One flag's coefficients, and the mean of its delay in seconds. */
  private record Reaction(
      Signal signal,
      double c0,
      double match,
      double quality,
      double bait,
      double fatigue,
      double social,
      double meanDelay) {}

  private static final List<Reaction> REACTIONS =
      List.of(
          new Reaction(Signal.CLICK, -1.35, 1.5, 0.3, 1.5, -0.5, 0, 2),
          new Reaction(Signal.LIKE, -4.6, 1.8, 0.9, -1.6, 0, 1, 20),
          new Reaction(Signal.FOLLOW, -6.6, 1.2, 0.9, 0, 0, 1, 60),
          new Reaction(Signal.COMMENT, -6.6, 1.0, 0.5, 0.6, 0, 1, 120),
          new Reaction(Signal.FORWARD, -6.8, 0.9, 0.9, 0, 0, 1, 90),
          new Reaction(Signal.HATE, -8.0, -1.2, -0.4, 2.0, 0.8, 0, 15));

  private final ShortVideoWorld world;
  private final long number;
  private final Person person;
  private final double[] visibleTaste;
  private final double[] taste;
  private final double[] topicMemory = new double[Catalogue.TOPICS];
  private final double[] traces = new double[Trace.COUNT];
  private double fatigue;
  private double mood;
  private double lastWatch;
  private int step;
  private boolean left;

  Session(ShortVideoWorld world, long number) {
    if (number < 0) {
      throw new IllegalArgumentException("Session numbers start at 0, not " + number + ".");
    }
    this.world = world;
    this.number = number;
    this.person = world.personOf(number);
    this.visibleTaste = person.visibleTaste();
    this.taste = person.taste();
  }

  public long number() {
    return number;
  }

  public Person person() {
    return person;
  }

  /** Decisions already made, which is also the number of the next one. */
  public int step() {
    return step;
  }

  public boolean hasLeft() {
    return left;
  }

  /** Whether there are no more decisions: the person left, or the session was cut off. */
  public boolean isOver() {
    return left || step == ShortVideoWorld.MAX_STEPS;
  }

  /** The videos that may be shown now, in order; at least one. */
  public int[] candidates() {
    return world.candidates(number, person, step);
  }

  public VisibleState visible() {
    return new VisibleState(visibleTaste, topicMemory, step, lastWatch, traces);
  }

  /**
   * Samples a position by the world's own draw for this step: the smallest whose cumulative
   * probability reaches it, the last one if rounding leaves none.
   *
   * @param probabilities holds this decision's {@code count} probabilities from {@code offset} on
   */
  public int sample(double[] probabilities, int offset, int count) {
    double u = uniform(world.environmentSeed(), 50, number, step, 0);
    double cumulative = 0;
    for (int position = 0; position < count; position++) {
      cumulative += probabilities[offset + position];
      if (cumulative >= u) {
        return position;
      }
    }
    return count - 1;
  }

  /** Shows a video, takes the response, and moves on by one step. */
  public Response show(int item) {
    if (isOver()) {
      throw new IllegalStateException("Session " + number + " is over; nothing more can be shown.");
    }
    double match = Vectors.dot(taste, world.catalogue().rawTopic(item));
    Response response = new Response(item);
    watch(item, match, response);
    REACTIONS.forEach(reaction -> react(reaction, item, match, response));
    remember(item, response);
    tire(item, match);
    stayOrLeave(response);
    if (world.profile() == Profile.DRIFT && response.has(Signal.CLICK)) {
      drift(item);
    }
    step++;
    return response;
  }

  private void watch(int item, double match, Response response) {
    Catalogue catalogue = world.catalogue();
    double noise = normal(world.environmentSeed(), 51, number, step, 0);
    lastWatch =
        sigmoid(
            -0.9
                + 1.6 * match
                + 0.4 * catalogue.quality(item)
                + 1.6 * person.baitSusceptibility() * catalogue.bait(item)
                - 0.6 * fatigue
                + 0.5 * noise);
    response.watched(catalogue.durationSeconds(item) * lastWatch);
  }

  private void react(Reaction reaction, int item, double match, Response response) {
    int k = reaction.signal().index();
    double chance = chance(reaction, item, match);
    boolean happened = uniform(world.environmentSeed(), 52, number, step, k) < chance;
    double u = uniform(world.environmentSeed(), 54, number, step, k);
    response.flag(
        reaction.signal(), happened, chance, -reaction.meanDelay() * StrictMath.log(1 - u));
  }

  private double chance(Reaction reaction, int item, double match) {
    Catalogue catalogue = world.catalogue();
    boolean click = reaction.signal() == Signal.CLICK;
    double bait = (click ? person.baitSusceptibility() : 1) * catalogue.bait(item);
    return sigmoid(
        reaction.c0()
            + (click ? 0 : world.profile().rareReactionShift())
            + reaction.match() * match
            + reaction.quality() * catalogue.quality(item)
            + reaction.bait() * bait
            + reaction.fatigue() * fatigue
            + reaction.social() * person.sociability());
  }

  /** What a product could have seen, with the topic memory as it was at the decision. */
  private void remember(int item, Response response) {
    Catalogue catalogue = world.catalogue();
    double[] topic = catalogue.rawTopic(item);
    trace(Trace.WATCH, lastWatch);
    trace(Trace.CLICK, response.value(Signal.CLICK));
    trace(Trace.LIKE, response.value(Signal.LIKE));
    trace(Trace.FOLLOW, response.value(Signal.FOLLOW));
    trace(Trace.COMMENT, response.value(Signal.COMMENT));
    trace(Trace.FORWARD, response.value(Signal.FORWARD));
    trace(Trace.HATE, response.value(Signal.HATE));
    trace(Trace.MATCH, Vectors.dot(visibleTaste, topic));
    trace(Trace.QUALITY, catalogue.visibleQuality(item));
    trace(Trace.BAIT, catalogue.visibleBait(item));
    trace(Trace.SAMENESS, Math.max(0, Vectors.dot(topicMemory, topic) - 0.5));
  }

  private void trace(Trace trace, double value) {
    traces[trace.ordinal()] = trace.after(traces[trace.ordinal()], value);
  }

  private void tire(int item, double match) {
    Catalogue catalogue = world.catalogue();
    double[] topic = catalogue.rawTopic(item);
    double sameness = Math.max(0, Vectors.dot(topicMemory, topic));
    for (int k = 0; k < topicMemory.length; k++) {
      topicMemory[k] = 0.8 * topicMemory[k] + 0.2 * topic[k];
    }
    double bait = catalogue.bait(item);
    fatigue = 0.8 * fatigue + 0.15 * bait + 0.5 * Math.max(0, sameness - 0.5);
    mood = 0.9 * mood + 0.1 * (0.7 * match + 0.4 * catalogue.quality(item) - 0.6 * bait);
  }

  private void stayOrLeave(Response response) {
    double chance = sigmoid(-2.9 + 0.7 * fatigue - 1.6 * mood);
    left = uniform(world.environmentSeed(), 53, number, step, 0) < chance;
    response.flag(Signal.LEAVE, left, chance, response.delaySeconds(Signal.WATCH_SECONDS));
  }

  private void drift(int item) {
    double[] topic = world.catalogue().rawTopic(item);
    for (int k = 0; k < taste.length; k++) {
      taste[k] += 0.02 * topic[k];
    }
    Vectors.normalise(taste);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + StrictMath.exp(-x));
  }
}
