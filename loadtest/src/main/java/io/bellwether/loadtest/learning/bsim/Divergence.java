package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.DecisionBatch;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.loadtest.people.TrueValue;

/**
 * How far a policy is from the logging policy L0, in nats per decision, on decisions that L0 leads
 * to. Confined to one thread.
 */
public final class Divergence {
  private static final int SESSIONS_PER_BATCH = 250;

  private double sum;
  private long rows;

  private Divergence() {}

  /** Mean {@code KL(L0 || policy)}; infinite where the policy excludes what L0 does. */
  public static double of(
      SimulatedPolicy policy, ShortVideoWorld world, long firstSession, int sessions)
      throws InterruptedException {
    LinearPolicy logging = LinearPolicy.logging(world.catalogue());
    Divergence divergence = new Divergence();
    SimulatedPolicy observed =
        (batch, chances) -> {
          logging.fill(batch, chances);
          divergence.add(policy, batch, chances);
        };
    // One thread, so that the sum has one order.
    new TrueValue(world, 1, SESSIONS_PER_BATCH).of(observed, firstSession, sessions, 1);
    return divergence.sum / divergence.rows;
  }

  private void add(SimulatedPolicy policy, DecisionBatch batch, double[] chances) {
    double[] found = new double[batch.size()];
    policy.fill(batch, found);
    for (int place = 0; place < found.length; place++) {
      if (chances[place] > 0) {
        sum += chances[place] * Math.log(chances[place] / found[place]);
      }
    }
    rows += batch.rows();
  }
}
