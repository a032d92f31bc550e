package io.bellwether.loadtest.evaluation.synthetic;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.loadtest.people.DecisionBatch;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.Response;
import io.bellwether.loadtest.people.Session;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.SimulatedPolicy;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The first decision of visits to the short-video world: which of twenty videos is shown, and
 * whether the person clicks or leaves. Visits are drawn by seed from all that the world knows.
 */
public final class FirstVideos {
  public static final String CLICK = Signal.CLICK.wireName();
  public static final String LEAVE = Signal.LEAVE.wireName();
  private static final List<Signal> SIGNALS = List.of(Signal.CLICK, Signal.LEAVE);

  /** Visits are numbered; this many are as good as infinitely many. */
  private static final long VISITS = 1L << 40;

  private static final int BATCH = 4_096;

  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);
  private final LinearPolicy logging = LinearPolicy.logging(world.catalogue());
  private final LinearPolicy target =
      new LinearPolicy(
          world.catalogue(), new LinearPolicy.Weights(1.5, 0.71, -0.89, 0.3, 0), 0.45, 0.15);

  /** A reward model that somebody might have fitted: it sees what policies see. */
  private final LinearPolicy model =
      new LinearPolicy(world.catalogue(), new LinearPolicy.Weights(1.2, 0.2, 0.9, 0, 0), 1, 0);

  /** Mean chances per decision, with the standard errors of their simulation. */
  public record Truth(double click, double leave, double clickError, double leaveError) {}

  /**
   * The target policy's values by letting it decide in so many visits. Flags count by their chance.
   */
  public Truth targetTruth(int visits, long seed) {
    return truth(target, visits, seed);
  }

  public Truth loggingTruth(int visits, long seed) {
    return truth(logging, visits, seed);
  }

  private Truth truth(SimulatedPolicy policy, int visits, long seed) {
    double[] sums =
        IntStream.range(0, (visits + BATCH - 1) / BATCH)
            .parallel()
            .mapToObj(at -> sums(policy, Math.min(BATCH, visits - at * BATCH), seed + at))
            .reduce(new double[4], FirstVideos::added);
    double click = sums[0] / visits;
    double leave = sums[1] / visits;
    return new Truth(
        click,
        leave,
        Math.sqrt((sums[2] / visits - click * click) / visits),
        Math.sqrt((sums[3] / visits - leave * leave) / visits));
  }

  private double[] sums(SimulatedPolicy policy, int visits, long seed) {
    double[] sums = new double[4];
    List<Session> sessions = sessions(visits, seed);
    DecisionBatch batch = DecisionBatch.of(sessions);
    double[] chances = new double[batch.size()];
    policy.fill(batch, chances);
    for (int row = 0; row < visits; row++) {
      int from = batch.offset(row);
      int shown = sessions.get(row).sample(chances, from, batch.offset(row + 1) - from);
      Response response = sessions.get(row).show(batch.item(from + shown));
      double click = response.expected(Signal.CLICK);
      double leave = response.expected(Signal.LEAVE);
      sums[0] += click;
      sums[1] += leave;
      sums[2] += click * click;
      sums[3] += leave * leave;
    }
    return sums;
  }

  private static double[] added(double[] left, double[] right) {
    double[] sums = new double[left.length];
    for (int at = 0; at < sums.length; at++) {
      sums[at] = left[at] + right[at];
    }
    return sums;
  }

  private List<Session> sessions(int visits, long seed) {
    Draws draws = new Draws(seed);
    return LongStream.generate(() -> draws.below(VISITS))
        .limit(visits)
        .mapToObj(world::start)
        .toList();
  }

  /** A log of the logging policy, a subject for each visit. */
  public LoggedDecisions draw(int visits, long seed) {
    List<Session> sessions = sessions(visits, seed);
    DecisionBatch batch = DecisionBatch.of(sessions);
    double[] logged = new double[batch.size()];
    double[] wanted = new double[batch.size()];
    logging.fill(batch, logged);
    target.fill(batch, wanted);
    double[] propensity = new double[visits];
    double[] chance = new double[visits];
    double[][] reward = new double[SIGNALS.size()][visits];
    double[] prediction = new double[visits];
    double[] direct = new double[visits];
    for (int row = 0; row < visits; row++) {
      int from = batch.offset(row);
      int to = batch.offset(row + 1);
      int shown = from + sessions.get(row).sample(logged, from, to - from);
      propensity[row] = logged[shown];
      chance[row] = wanted[shown];
      prediction[row] = predicted(batch, row, shown);
      for (int place = from; place < to; place++) {
        direct[row] += wanted[place] * predicted(batch, row, place);
      }
      Response response = sessions.get(row).show(batch.item(shown));
      for (int at = 0; at < reward.length; at++) {
        reward[at][row] = response.value(SIGNALS.get(at));
      }
    }
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, visits).toArray(),
            new int[visits],
            IntStream.range(0, visits).asLongStream().toArray())
        .logging(propensity)
        .target(chance)
        .signal(CLICK, LoggedDecisions.Signal.modelled(reward[0], prediction, direct))
        .signal(LEAVE, LoggedDecisions.Signal.withoutModel(reward[1]))
        .build();
  }

  private double predicted(DecisionBatch batch, int row, int place) {
    return 1 / (1 + Math.exp(1 - model.score(batch.state(row), batch.item(place))));
  }
}
