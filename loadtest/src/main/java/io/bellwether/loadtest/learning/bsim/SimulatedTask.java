package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import java.util.List;
import java.util.Locale;

/**
 * One task: a profile of the world, and how many sessions of the logging policy there are to learn
 * from.
 *
 * <p>Session ranges are those of {@code ShortVideoSim-v1}: 0 to 2,999 for the test, 3,000 to 5,999
 * to choose between settings, 10,000 to 19,999 for learning while serving, and the logs from
 * 100,000 on.
 */
public record SimulatedTask(Profile profile, int logSessions) {
  public static final long FIRST_TEST_SESSION = 0;
  public static final long FIRST_VALIDATION_SESSION = 3_000;
  public static final long FIRST_ONLINE_SESSION = 10_000;
  public static final long FIRST_LOG_SESSION = 100_000;
  public static final int SESSIONS = 3_000;

  /** Twenty decisions of twenty candidates with 16 numbers each, and a sixth for the rest. */
  private static final long BYTES_PER_SESSION = 30_000;

  /** The seed of a run is added to it, so that no log shares its noise with the test. */
  private static final long FIRST_LOG_SEED = 100;

  /** The four tasks whose scores count. */
  public static final List<SimulatedTask> ALL =
      List.of(
          new SimulatedTask(Profile.KUAIRAND, 6_000),
          new SimulatedTask(Profile.KUAIRAND, 20_000),
          new SimulatedTask(Profile.DENSE, 6_000),
          new SimulatedTask(Profile.DENSE, 20_000));

  /** Lists of other lengths, and with gaps: nothing may break there. */
  public static final List<SimulatedTask> SMOKE =
      List.of(new SimulatedTask(Profile.RAGGED, 600), new SimulatedTask(Profile.MASKED, 600));

  public SimulatedTask {
    if (logSessions < 1) {
      throw new IllegalArgumentException("a log needs at least one session, not " + logSessions);
    }
  }

  /** From its name, such as {@code kuairand-6000}. */
  public static SimulatedTask of(String name) {
    int dash = name.lastIndexOf('-');
    try {
      return new SimulatedTask(
          Profile.valueOf(name.substring(0, Math.max(0, dash)).toUpperCase(Locale.ROOT)),
          Integer.parseInt(name.substring(dash + 1)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'" + name + "' is no task; a task is named like kuairand-6000", e);
    }
  }

  public String name() {
    return profile.name().toLowerCase(Locale.ROOT) + "-" + logSessions;
  }

  /** About what its log takes in memory while something learns from it. */
  public long bytes() {
    return logSessions * BYTES_PER_SESSION;
  }

  /** The world in which policies are measured. */
  public ShortVideoWorld world() {
    return ShortVideoWorld.of(profile);
  }

  /** The log of one run. */
  public SimulatedLog log(long seed) {
    ShortVideoWorld noisy =
        new ShortVideoWorld(ShortVideoWorld.WORLD_SEED, FIRST_LOG_SEED + seed, profile);
    return SimulatedLog.of(noisy, FIRST_LOG_SESSION, logSessions);
  }
}
