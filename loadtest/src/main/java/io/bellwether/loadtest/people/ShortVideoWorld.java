package io.bellwether.loadtest.people;

import static io.bellwether.policy.scoring.CounterRandom.uniform;

import java.util.Arrays;

/**
 * The short-video population {@code ShortVideoSim-v1}: a catalogue, 50 000 people, and the noise of
 * their behaviour.
 *
 * <p>Clickbait raises watching now and fatigue later; long videos raise watching and cost
 * reactions; showing one topic over and over tires. The world seed fixes videos, people and
 * candidates; the environment seed fixes how people react and what a policy samples. All randomness
 * is {@link io.bellwether.policy.scoring.CounterRandom}, keyed by (session, step), so a session is
 * the same whoever else is simulated, in any order. Immutable.
 */
public final class ShortVideoWorld {
  /** The seed of the published numbers. */
  public static final long WORLD_SEED = 20240601;

  /** The environment seed of the published numbers. */
  public static final long ENVIRONMENT_SEED = 1;

  /** Decisions after which a session is cut off. */
  public static final int MAX_STEPS = 40;

  private static final int CANDIDATES = 20;

  private final long worldSeed;
  private final long environmentSeed;
  private final Profile profile;
  private final Catalogue catalogue;

  public ShortVideoWorld(long worldSeed, long environmentSeed, Profile profile) {
    this.worldSeed = worldSeed;
    this.environmentSeed = environmentSeed;
    this.profile = profile;
    this.catalogue = new Catalogue(worldSeed);
  }

  /** The world of the published numbers. */
  public static ShortVideoWorld of(Profile profile) {
    return new ShortVideoWorld(WORLD_SEED, ENVIRONMENT_SEED, profile);
  }

  public Catalogue catalogue() {
    return catalogue;
  }

  /** Starts session {@code number}, at least 0; starting it again repeats it. */
  public Session start(long number) {
    return new Session(this, number);
  }

  Person personOf(long session) {
    return new Person(worldSeed, (int) (session % Person.PEOPLE));
  }

  /** The videos that may be shown at this step, in order, without duplicates. */
  int[] candidates(long session, Person person, int step) {
    int[] candidates = new int[candidateCount(session, step)];
    for (int j = 0; j < candidates.length; j++) {
      int item = proposal(session, person, step, j);
      while (contains(candidates, j, item)) {
        item = (item + 1) % Catalogue.ITEMS;
      }
      candidates[j] = item;
    }
    return profile == Profile.MASKED ? withoutMissing(candidates, session, step) : candidates;
  }

  private int candidateCount(long session, int step) {
    return profile == Profile.RAGGED
        ? 8 + (int) (25 * uniform(worldSeed, 31, session, step, 0))
        : CANDIDATES;
  }

  /** Even positions propose from the person's main topic, odd ones from everything. */
  private int proposal(long session, Person person, int step, int position) {
    double u = uniform(worldSeed, 30, session, step, position);
    if (position % 2 == 1) {
      return (int) (u * Catalogue.ITEMS);
    }
    int topic = person.mainTopic();
    return catalogue.itemOfTopic(topic, (int) (u * catalogue.itemsOfTopic(topic)));
  }

  private static boolean contains(int[] items, int count, int item) {
    for (int j = 0; j < count; j++) {
      if (items[j] == item) {
        return true;
      }
    }
    return false;
  }

  private int[] withoutMissing(int[] candidates, long session, int step) {
    int kept = 0;
    int first = candidates[0];
    for (int j = 0; j < candidates.length; j++) {
      if (uniform(worldSeed, 32, session, step, j) >= 0.1) {
        candidates[kept++] = candidates[j];
      }
    }
    return kept == 0 ? new int[] {first} : Arrays.copyOf(candidates, kept);
  }

  long environmentSeed() {
    return environmentSeed;
  }

  Profile profile() {
    return profile;
  }
}
