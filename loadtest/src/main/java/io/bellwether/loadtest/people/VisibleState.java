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
  private final double[] traces;

  VisibleState(double[] taste, double[] topicMemory, int step, double lastWatch, double[] traces) {
    this.taste = taste.clone();
    this.topicMemory = topicMemory.clone();
    this.step = step;
    this.lastWatch = lastWatch;
    this.traces = traces.clone();
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

  /** What the session's past left behind, about -3 to 3. */
  public double trace(Trace trace) {
    return traces[trace.ordinal()];
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

  /** Visible taste times the video's topic, -1 to 1. */
  public double match(Catalogue catalogue, int item) {
    return tasteFor(catalogue.rawTopic(item));
  }

  /** Topic memory times the video's topic, -1 to 1: how much it is like those before it. */
  public double sameness(Catalogue catalogue, int item) {
    return memoryOf(catalogue.rawTopic(item));
  }

  double tasteFor(double[] topic) {
    return Vectors.dot(taste, topic);
  }

  double memoryOf(double[] topic) {
    return Vectors.dot(topicMemory, topic);
  }
}
