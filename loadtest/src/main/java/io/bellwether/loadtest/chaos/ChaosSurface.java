package io.bellwether.loadtest.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.CounterRandom;
import java.time.Duration;

/**
 * The surface of the load: twelve candidates that bring their features, a history, and windows so
 * short that transitions are there soon after the last fault.
 */
public final class ChaosSurface {

  public static final String NAME = "chaos";

  /** What an outcome reports. */
  static final String SIGNAL = "click";

  static final Duration DEADLINE = Duration.ofMillis(100);

  private static final int CANDIDATES = 12;
  private static final int VECTOR = 8;
  private static final int SUBJECTS = 200;
  private static final int TAG = 91;

  private static final String FILE =
      """
      surface: chaos
      slate: { size: 3, candidates: { max: 20 } }
      context:
        - { name: taste, type: vector, size: 8 }
      history: { signals: [click], last: 5 }
      item:
        - { name: topic, type: vector, size: 8 }
        - { name: quality, type: number }
      signals:
        - { name: click, type: flag, window: 5s }
      objective: { maximize: click, discount: 0.9 }
      exploration: { temperature: 1.0, uniform: 0.1, min-propensity: 0.004 }
      sessions: { gap: 10s }
      ranking:
        temperature: 0.5
        terms:
          - { context: taste, item: topic, weight: 1 }
          - { item: quality, weight: %s }
      deadline: 100ms
      fallback: [champion, as-given]
      """;

  private ChaosSurface() {}

  /** The declaration's file. */
  public static String file() {
    return FILE.formatted("0.5");
  }

  public static Surface surface() {
    return parsed(file());
  }

  /** The same to a policy, with another ranking. */
  public static Surface variation() {
    return parsed(FILE.formatted("0.7"));
  }

  private static Surface parsed(String text) {
    try {
      return new SurfaceReader().parse(NAME + ".yaml", text.getBytes(UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The body of the request with this number. */
  static ObjectNode request(String decisionId, long seed, long number) {
    ObjectNode body = new ObjectMapper().createObjectNode();
    body.put("decisionId", decisionId);
    body.put("surface", NAME);
    long subject = Math.floorMod(CounterRandom.hash(seed, TAG, number, 0, 0), SUBJECTS);
    body.putObject("subject").put("id", "s" + subject);
    vector(body.putObject("context").putArray("taste"), seed, number, 1);
    ArrayNode candidates = body.putArray("candidates");
    for (int i = 0; i < CANDIDATES; i++) {
      ObjectNode features = candidates.addObject().put("id", "i" + i).putObject("features");
      vector(features.putArray("topic"), seed, number, 2 + i);
      features.put("quality", CounterRandom.uniform(seed, TAG, number, 2 + i, VECTOR));
    }
    return body;
  }

  private static void vector(ArrayNode array, long seed, long number, int what) {
    for (int i = 0; i < VECTOR; i++) {
      array.add((float) CounterRandom.uniform(seed, TAG, number, what, i) - 0.5f);
    }
  }
}
