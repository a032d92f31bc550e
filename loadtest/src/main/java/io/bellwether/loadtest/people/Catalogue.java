package io.bellwether.loadtest.people;

import static io.bellwether.policy.scoring.CounterRandom.normal;
import static io.bellwether.policy.scoring.CounterRandom.uniform;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The videos of a world: what they are, and what a policy may see of them.
 *
 * <p>Public methods give visible values only; true quality, true bait and the duration in seconds
 * stay in this package, as a product would not know them. Immutable.
 */
public final class Catalogue {
  /** Number of videos; they are numbered from 0. */
  public static final int ITEMS = 1000;

  /** Length of every topic vector. */
  public static final int TOPICS = 8;

  private static final int AUTHORS = 100;
  private static final double MEDIAN_SECONDS = 20;

  private final int[] mainTopic = new int[ITEMS];
  private final double[][] topic = new double[ITEMS][];
  private final double[] quality = new double[ITEMS];
  private final double[] bait = new double[ITEMS];
  private final double[] durationSeconds = new double[ITEMS];
  private final double[] visibleQuality = new double[ITEMS];
  private final double[] visibleBait = new double[ITEMS];
  private final double[] logDuration = new double[ITEMS];
  private final int[][] itemsOfTopic = new int[TOPICS][];

  Catalogue(long seed) {
    for (int item = 0; item < ITEMS; item++) {
      mainTopic[item] = (int) (TOPICS * uniform(seed, 1, item, 0, 0));
      topic[item] = topicVector(seed, item);
      quality[item] = clip(normal(seed, 3, item, 0, 0), -2.5, 2.5);
      double root = uniform(seed, 4, item, 0, 0);
      bait[item] = root * root;
      durationSeconds[item] =
          clip(
              StrictMath.exp(StrictMath.log(MEDIAN_SECONDS) + 0.6 * normal(seed, 5, item, 0, 0)),
              5,
              120);
      visibleQuality[item] = quality[item] + 0.3 * normal(seed, 6, item, 0, 0);
      visibleBait[item] = bait[item] + 0.1 * normal(seed, 7, item, 0, 0);
      logDuration[item] = StrictMath.log(durationSeconds[item] / MEDIAN_SECONDS);
    }
    for (int g = 0; g < TOPICS; g++) {
      int wanted = g;
      itemsOfTopic[g] = IntStream.range(0, ITEMS).filter(i -> mainTopic[i] == wanted).toArray();
    }
  }

  private double[] topicVector(long seed, int item) {
    double[] vector = new double[TOPICS];
    for (int k = 0; k < TOPICS; k++) {
      vector[k] = 0.3 * normal(seed, 2, item, 0, k);
    }
    vector[mainTopic[item]] += 1;
    return Vectors.normalise(vector);
  }

  private static double clip(double value, double min, double max) {
    return Math.max(min, Math.min(max, value));
  }

  /** The id under which a product registers the video, {@code i0} to {@code i999}. */
  public static String id(int item) {
    return "i" + item;
  }

  /**
   * The number of the video with this id; {@link IllegalArgumentException} if it is none of this
   * catalogue's.
   */
  public static int numberOf(String id) {
    if (id.matches("i(0|[1-9][0-9]{0,2})")) {
      return Integer.parseInt(id.substring(1));
    }
    throw new IllegalArgumentException(
        "No video has the id '" + id + "'; ids are i0 to i" + (ITEMS - 1) + ".");
  }

  /** Unit topic vector of length {@link #TOPICS}; a copy. */
  public double[] topic(int item) {
    return topic[item].clone();
  }

  /** Estimated quality, about -3.5 to 3.5. */
  public double visibleQuality(int item) {
    return visibleQuality[item];
  }

  /** Estimated share of clickbait, about -0.3 to 1.3. */
  public double visibleBait(int item) {
    return visibleBait[item];
  }

  /** Natural logarithm of the duration over 20 seconds. */
  public double logDuration(int item) {
    return logDuration[item];
  }

  /** {@code a0} to {@code a99}. */
  public String author(int item) {
    return "a" + item % AUTHORS;
  }

  /**
   * The visible features by the names of the {@code short-video} surface: numbers as {@code
   * Double}, vectors as {@code List<Double>}, categories as {@code String}.
   */
  public Map<String, Object> features(int item) {
    Map<String, Object> features = new LinkedHashMap<>();
    features.put("topic", Vectors.list(topic[item]));
    features.put("quality", visibleQuality[item]);
    features.put("bait", visibleBait[item]);
    features.put("log_duration", logDuration[item]);
    features.put("author", author(item));
    return features;
  }

  /** The vector itself, not to be changed. */
  double[] rawTopic(int item) {
    return topic[item];
  }

  int mainTopic(int item) {
    return mainTopic[item];
  }

  double quality(int item) {
    return quality[item];
  }

  double bait(int item) {
    return bait[item];
  }

  double durationSeconds(int item) {
    return durationSeconds[item];
  }

  int itemsOfTopic(int mainTopic) {
    return itemsOfTopic[mainTopic].length;
  }

  /** The {@code index}-th video of a topic, in ascending order of its number. */
  int itemOfTopic(int mainTopic, int index) {
    return itemsOfTopic[mainTopic][index];
  }

  @Override
  public String toString() {
    return "Catalogue of "
        + ITEMS
        + " videos, per topic "
        + Arrays.stream(itemsOfTopic).map(i -> i.length).toList();
  }
}
