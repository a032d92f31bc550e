package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.DecisionBatch;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.Response;
import io.bellwether.loadtest.people.Session;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;

/**
 * Sessions of a policy, usually L0, as rows to learn from, without a detour through events: what
 * production would have logged, and nothing that is hidden. Immutable; arrays are shared.
 *
 * <p>A row is one decision with its candidates in their order. A session that was cut off at {@link
 * ShortVideoWorld#MAX_STEPS} is not terminated.
 *
 * @param chances of the playing policy per candidate of {@code data}, for measures of distance;
 *     learners know the logged propensity only
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
public record SimulatedLog(NetworkSchema schema, LearnerData data, float[] chances) {
  private static final int STEP_BITS = 6;

  /** Plays sessions {@code first} to {@code first + sessions - 1} of a world by L0. */
  public static SimulatedLog of(ShortVideoWorld world, long first, int sessions) {
    return of(world, LinearPolicy.logging(world.catalogue()), first, sessions);
  }

  /** The same by any policy, of whom the chances are then; it is asked twice. */
  public static SimulatedLog of(
      ShortVideoWorld world, SimulatedPolicy policy, long first, int sessions) {
    Size size = new Size();
    Player player = new Player(world, policy);
    for (long session = first; session < first + sessions; session++) {
      player.play(session, size);
    }
    Filler filler = new Filler(new SimulatedFeatures(world.catalogue()), size);
    for (long session = first; session < first + sessions; session++) {
      player.play(session, filler);
    }
    return filler.log();
  }

  /** Takes the decisions of one session after the other. */
  private interface Listener {
    void decided(Session session, DecisionBatch batch, double[] chances, int action);

    void responded(Session session, Response response);
  }

  private record Player(ShortVideoWorld world, SimulatedPolicy policy) {
    void play(long number, Listener listener) {
      Session session = world.start(number);
      while (!session.isOver()) {
        DecisionBatch batch = DecisionBatch.of(List.of(session));
        double[] chances = new double[batch.size()];
        policy.fill(batch, chances);
        int action = session.sample(chances, 0, chances.length);
        listener.decided(session, batch, chances, action);
        listener.responded(session, session.show(batch.item(action)));
      }
    }
  }

  /** Memory is taken once, as large logs fill most of it. */
  private static final class Size implements Listener {
    private int rows;
    private int candidates;

    @Override
    public void decided(Session session, DecisionBatch batch, double[] chances, int action) {
      rows++;
      candidates += chances.length;
    }

    @Override
    public void responded(Session session, Response response) {}
  }

  private static final class Filler implements Listener {
    private final SimulatedFeatures features;
    private final NetworkSchema schema = SimulatedFeatures.schema();
    private final LearnerData data;
    private final float[] chances;
    private int row;

    Filler(SimulatedFeatures features, Size size) {
      this.features = features;
      this.chances = new float[size.candidates];
      this.data =
          new LearnerData(
              new float[size.rows * SimulatedFeatures.contextWidth()],
              new float[0],
              new int[size.rows + 1],
              new float[size.candidates * SimulatedFeatures.itemWidth()],
              new boolean[size.candidates],
              new int[size.rows],
              new double[size.rows],
              new float[size.rows * SimulatedFeatures.SIGNALS.size()],
              new boolean[size.rows],
              new int[size.rows],
              new long[size.rows],
              new float[size.rows]);
    }

    @Override
    public void decided(Session session, DecisionBatch batch, double[] chosen, int action) {
      int first = data.itemOffsets()[row];
      data.itemOffsets()[row + 1] = first + chosen.length;
      data.rowId()[row] = (session.number() << STEP_BITS) + session.step();
      int width = SimulatedFeatures.contextWidth();
      features.context(batch.state(0), data.context(), row * width);
      for (int candidate = 0; candidate < chosen.length; candidate++) {
        int place = first + candidate;
        features.item(
            batch.state(0),
            batch.item(candidate),
            data.items(),
            place * SimulatedFeatures.itemWidth());
        chances[place] = (float) chosen[candidate];
      }
      data.action()[row] = action;
      data.propensity()[row] = chosen[action];
      data.weight()[row] = 1;
    }

    @Override
    public void responded(Session session, Response response) {
      int signals = SimulatedFeatures.SIGNALS.size();
      for (int signal = 0; signal < signals; signal++) {
        data.rewards()[row * signals + signal] =
            SimulatedFeatures.reward(
                SimulatedFeatures.SIGNALS.get(signal),
                response.value(SimulatedFeatures.SIGNALS.get(signal)));
      }
      data.terminated()[row] = session.hasLeft();
      data.next()[row] = session.isOver() ? -1 : row + 1;
      row++;
    }

    SimulatedLog log() {
      return new SimulatedLog(schema, data, chances);
    }
  }
}
