package io.bellwether.loadtest.people;

import static io.bellwether.policy.scoring.CounterRandom.normal;
import static io.bellwether.policy.scoring.CounterRandom.uniform;

/**
 * One of the {@value #PEOPLE} simulated people. Only {@link #id} and {@link #visibleTaste} are
 * known to a product; true taste, susceptibility to bait and sociability are hidden. Immutable.
 */
public final class Person {
  /** Number of different people; session n belongs to person n mod this. */
  public static final int PEOPLE = 50_000;

  private final int number;
  private final int mainTopic;
  private final int secondTopic;
  private final double[] taste;
  private final double[] visibleTaste;
  private final double baitSusceptibility;
  private final double sociability;

  Person(long seed, int number) {
    this.number = number;
    mainTopic = (int) (Catalogue.TOPICS * uniform(seed, 20, number, 0, 0));
    int distance = 1 + (int) ((Catalogue.TOPICS - 1) * uniform(seed, 20, number, 0, 1));
    secondTopic = (mainTopic + distance) % Catalogue.TOPICS;
    taste = noise(seed, 21, 0.3);
    taste[mainTopic] += 1;
    taste[secondTopic] += 0.6;
    Vectors.normalise(taste);
    visibleTaste = noise(seed, 22, 0.2);
    for (int k = 0; k < visibleTaste.length; k++) {
      visibleTaste[k] += taste[k];
    }
    Vectors.normalise(visibleTaste);
    baitSusceptibility = 0.5 + uniform(seed, 23, number, 0, 0);
    sociability = 0.5 * normal(seed, 24, number, 0, 0);
  }

  private double[] noise(long seed, int tag, double scale) {
    double[] vector = new double[Catalogue.TOPICS];
    for (int k = 0; k < vector.length; k++) {
      vector[k] = scale * normal(seed, tag, number, 0, k);
    }
    return vector;
  }

  /** The id under which a product knows the person, {@code u0} to {@code u49999}. */
  public String id() {
    return "u" + number;
  }

  /**
   * What the product believes this person likes, a unit vector of length {@link Catalogue#TOPICS};
   * a copy.
   */
  public double[] visibleTaste() {
    return visibleTaste.clone();
  }

  int mainTopic() {
    return mainTopic;
  }

  int secondTopic() {
    return secondTopic;
  }

  /** A copy, as {@link Profile#DRIFT} changes it during a session. */
  double[] taste() {
    return taste.clone();
  }

  /** From 0.5 to 1.5. */
  double baitSusceptibility() {
    return baitSusceptibility;
  }

  double sociability() {
    return sociability;
  }
}
