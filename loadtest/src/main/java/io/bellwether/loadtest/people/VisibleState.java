package io.bellwether.loadtest.people;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a policy may see of a session before one decision. Immutable: a snapshot that later steps do
 * not change.
 */
public final class VisibleState {
  private final double[] taste;
  private final double[] topicMemory;
  private final int step;
  private final double lastWatch;

  VisibleState(double[] taste, double[] topicMemory, int step, double lastWatch) {
    this.taste = taste.clone();
    this.topicMemory = topicMemory.clone();
    this.step = step;
    this.lastWatch = lastWatch;
  }

  /** Unit vector of length {@link Catalogue#TOPICS}; a copy. */
  public double[] taste() {
    return taste.clone();
  }

  /**
   * Decaying mean of the topics shown in this session, length {@link Catalogue#TOPICS}, zeros at
   * the start; a copy.
   */
  public double[] topicMemory() {
    return topicMemory.clone();
  }

  /** Decisions already made in this session, 0 to 39. */
  public int step() {
    return step;
  }

  /** Share of the previous video that was watched, 0 to 1; 0 at the start. */
  public double lastWatch() {
    return lastWatch;
  }

  /**
   * The state by the context features of the {@code short-video} surface: numbers as {@code
   * Double}, vectors as {@code List<Double>}.
   */
  public Map<String, Object> features() {
    Map<String, Object> features = new LinkedHashMap<>();
    features.put("taste", Vectors.list(taste));
    features.put("topic_memory", Vectors.list(topicMemory));
    features.put("step", (double) step);
    features.put("last_watch", lastWatch);
    return features;
  }

  double tasteFor(double[] topic) {
    return Vectors.dot(taste, topic);
  }

  double memoryOf(double[] topic) {
    return Vectors.dot(topicMemory, topic);
  }
}
