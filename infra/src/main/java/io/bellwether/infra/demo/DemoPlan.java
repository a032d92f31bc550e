package io.bellwether.infra.demo;

import java.time.Duration;

/**
 * How the time of a demo is spent and how large it is.
 *
 * @param logged how long people are sent before anything is learned
 * @param fewest people without whom the gate could not tell; a slow machine takes longer
 * @param people most people who are sent before anything is learned: enough to learn from, and few
 *     enough to learn in time
 * @param live how long people are sent after the promotion
 * @param epochs how often each learner sees each decision
 * @param modelSteps steps of each fold's reward model
 * @param heldOutShare share of the people whom the learners do not see and the gate judges on
 * @param seed of everything that is learned
 */
public record DemoPlan(
    Duration logged,
    long fewest,
    long people,
    Duration live,
    double epochs,
    long modelSteps,
    double heldOutShare,
    long seed) {

  /** Shares of the time given; what is left goes to starting, training and judging. */
  private static final double LOGGED_SHARE = 0.36;

  private static final double LIVE_SHARE = 0.06;
  private static final long FEWEST_PER_MINUTE = 450;
  private static final long PEOPLE_PER_MINUTE = 650;
  private static final Duration SHORTEST = Duration.ofMinutes(3);

  /** A plan for a demo of about this length. */
  public static DemoPlan of(Duration length, long seed) {
    Duration time = length.compareTo(SHORTEST) < 0 ? SHORTEST : length;
    return new DemoPlan(
        share(time, LOGGED_SHARE),
        FEWEST_PER_MINUTE * time.toMinutes(),
        PEOPLE_PER_MINUTE * time.toMinutes(),
        share(time, LIVE_SHARE),
        10,
        500,
        0.5,
        seed);
  }

  private static Duration share(Duration time, double share) {
    return Duration.ofMillis((long) (time.toMillis() * share));
  }
}
