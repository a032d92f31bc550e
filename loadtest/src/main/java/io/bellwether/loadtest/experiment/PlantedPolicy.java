package io.bellwether.loadtest.experiment;

import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.LinearPolicy.Weights;
import java.util.Locale;

/**
 * A policy of which it is known beforehand what an experiment has to do with it, on the surface of
 * the simulated product. All of them rank by the same four features.
 */
public enum PlantedPolicy {
  /** People watch more, and react more. */
  BETTER(new Weights(2, 0.7, 0, 0.7, 0), 0.1, Fault.NONE),

  /** Shows what people do not care for. */
  WORSE(new Weights(-1.4, -0.5, 0, 0, 0), 0.35, Fault.NONE),

  /** The longest videos: people watch for twice as long, and click less than was promised. */
  BREAKS_PROMISE(new Weights(0, 0, 0, 3, 0), 0.35, Fault.NONE),

  /** The product's own ranking, scored for longer than an answer may take. */
  SLOW(new Weights(1.4, 0.5, 0, 0, 0), 0.35, Fault.SLOW),

  /** The product's own ranking, whose scores are mostly no numbers. */
  FAILS(new Weights(1.4, 0.5, 0, 0, 0), 0.35, Fault.NOT_FINITE);

  /** What is wrong with a graph besides its ranking. */
  enum Fault {
    NONE,
    SLOW,
    NOT_FINITE
  }

  /** As the surface declares. */
  private static final double UNIFORM = 0.1;

  private final Weights weights;
  private final double temperature;
  private final Fault fault;

  PlantedPolicy(Weights weights, double temperature, Fault fault) {
    this.weights = weights;
    this.temperature = temperature;
    this.fault = fault;
  }

  /** In lower case, with hyphens: the name of its experiment. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether an experiment has to ship it; all others it has to take back. */
  public boolean isGood() {
    return this == BETTER;
  }

  /** The ranking in the simulated world, explored as the surface does; without its fault. */
  LinearPolicy ranking(Catalogue catalogue) {
    return new LinearPolicy(catalogue, weights, temperature, UNIFORM);
  }

  Weights weights() {
    return weights;
  }

  double temperature() {
    return temperature;
  }

  Fault fault() {
    return fault;
  }
}
