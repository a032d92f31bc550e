package io.bellwether.loadtest.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.feature.Column;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.CounterRandom;
import java.util.List;
import java.util.Locale;

/**
 * Requests for decisions of one scenario: a few hundred different ones, made beforehand, over and
 * over. Features are numbers with five digits, as a product would send them. Immutable.
 */
final class DecisionRequests implements RequestSource {

  /** Enough that no cache of the processor holds all their answers' memory. */
  private static final int DIFFERENT = 509;

  private static final long CONTEXT_TAG = 1;
  private static final long ITEM_TAG = 2;
  private static final long CHOICE_TAG = 3;

  private final byte[][] requests;

  private DecisionRequests(byte[][] requests) {
    this.requests = requests;
  }

  /** Of a scenario on its surface, whose features are vectors. */
  static DecisionRequests of(Scenario scenario, Surface surface, String host, long seed) {
    Vectors vectors = Vectors.of(FeatureLayout.of(surface));
    byte[][] requests = new byte[DIFFERENT][];
    for (int i = 0; i < DIFFERENT; i++) {
      requests[i] = post("/v1/decisions", host, body(scenario, vectors, i, seed));
    }
    return new DecisionRequests(requests);
  }

  /** The same bodies sent to the endpoint that does nothing. */
  DecisionRequests toNoop(String host) {
    byte[][] others = new byte[requests.length][];
    for (int i = 0; i < requests.length; i++) {
      String text = new String(requests[i], UTF_8);
      others[i] = post("/v1/noop", host, text.substring(text.indexOf("\r\n\r\n") + 4));
    }
    return new DecisionRequests(others);
  }

  @Override
  public byte[] request(long index) {
    return requests[(int) (index % requests.length)];
  }

  /** Bytes of a body, on average. */
  int bodyBytes() {
    long sum = 0;
    for (byte[] each : requests) {
      sum += each.length - HttpHead.end(each, each.length);
    }
    return (int) (sum / requests.length);
  }

  static String itemId(int item) {
    return "item-" + (100_000 + item);
  }

  static String subjectId(int subject) {
    return "subject-" + (100_000 + subject);
  }

  /** An item's features as a request or a registration has them. */
  static String itemFeatures(Vectors vectors, int item, long seed) {
    return vectors.item().json(seed, ITEM_TAG, item);
  }

  private static String body(Scenario scenario, Vectors vectors, int index, long seed) {
    StringBuilder text = new StringBuilder();
    text.append("{\"surface\":\"").append(scenario.surface()).append('"');
    if (scenario.subjects() > 0) {
      int subject = draw(seed, index, -1, scenario.subjects());
      text.append(",\"subject\":{\"id\":\"").append(subjectId(subject)).append("\"}");
    }
    text.append(",\"context\":").append(vectors.context().json(seed, CONTEXT_TAG, index));
    if (scenario.features() == Scenario.Features.RETRIEVED) {
      return text.append('}').toString();
    }
    text.append(",\"candidates\":[");
    // Consecutive items from a random one on: distinct without a look at the others.
    int first = draw(seed, index, 0, scenario.items());
    for (int i = 0; i < scenario.candidates(); i++) {
      int item = (first + i) % scenario.items();
      text.append(i == 0 ? "" : ",").append("{\"id\":\"").append(itemId(item)).append('"');
      if (scenario.features() == Scenario.Features.INLINE) {
        text.append(",\"features\":").append(itemFeatures(vectors, item, seed));
      }
      text.append('}');
    }
    return text.append("]}").toString();
  }

  private static int draw(long seed, int index, int place, int bound) {
    return (int) (CounterRandom.uniform(seed, CHOICE_TAG, index, place, 0) * bound);
  }

  private static byte[] post(String path, String host, String body) {
    byte[] bytes = body.getBytes(UTF_8);
    byte[] head =
        ("POST "
                + path
                + " HTTP/1.1\r\nHost: "
                + host
                + "\r\nContent-Type: application/json\r\n"
                + "Accept: application/json\r\nContent-Length: "
                + bytes.length
                + "\r\n\r\n")
            .getBytes(UTF_8);
    byte[] whole = new byte[head.length + bytes.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(bytes, 0, whole, head.length, bytes.length);
    return whole;
  }

  /** The vectors of a benchmark's surface: one of the context and one of items. */
  record Vectors(Vector context, Vector item) {

    static Vectors of(FeatureLayout layout) {
      return new Vectors(Vector.of(layout.context()), Vector.of(layout.item()));
    }
  }

  /** A declared vector: its name and size. */
  record Vector(String name, int size) {

    static Vector of(List<Column> columns) {
      String first = columns.get(0).name();
      String name = first.substring(0, first.indexOf(':'));
      int size = (int) columns.stream().filter(each -> each.name().startsWith(name + ":")).count();
      return new Vector(name, size);
    }

    String json(long seed, long tag, int row) {
      StringBuilder text = new StringBuilder("{\"").append(name).append("\":[");
      for (int i = 0; i < size; i++) {
        text.append(i == 0 ? "" : ",")
            .append(String.format(Locale.ROOT, "%.5f", CounterRandom.normal(seed, tag, row, i, 0)));
      }
      return text.append("]}").toString();
    }
  }
}
