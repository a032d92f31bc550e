package io.bellwether.policy.scoring;

import io.bellwether.policy.schema.FeatureSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Encoded requests to be scored together, ragged: a request with 7 candidates and one with 500
 * stand one after the other, without padding.
 *
 * <p>Rows lie in direct buffers in native order: {@code context[request * contextWidth + column]},
 * {@code history[(request * historyLength + row) * historyWidth + column]}, {@code items[candidate
 * * itemWidth + column]} and {@code request[candidate]}. The buffers grow by doubling and are kept
 * over {@link #clear}. A refused call changes nothing. Confined to one thread.
 */
public final class ScoringBatch {

  /** More than any deadline allows; a batch beyond it is a caller's mistake. */
  private static final int MAX_CANDIDATES = 1 << 20;

  private static final int INITIAL_REQUESTS = 4;
  private static final int INITIAL_CANDIDATES = 128;

  private final FeatureSchema schema;
  private FloatBuffer context;
  private FloatBuffer history;
  private FloatBuffer items;
  private LongBuffer request;
  private int[] firstCandidate = new int[INITIAL_REQUESTS];
  private int requests;
  private int candidates;
  private int growths;

  /** An empty batch for graphs of this schema. */
  public ScoringBatch(FeatureSchema schema) {
    this.schema = schema;
    context = floats(INITIAL_REQUESTS * schema.contextWidth());
    history = floats(INITIAL_REQUESTS * schema.historySize());
    items = floats(INITIAL_CANDIDATES * schema.itemWidth());
    request = longs(INITIAL_CANDIDATES);
  }

  /**
   * Adds a request with all its candidates.
   *
   * @param context {@code [contextWidth]}
   * @param history {@code [historyLength * historyWidth]}; empty where the schema has no history
   * @param items {@code [candidates * itemWidth]}
   */
  public void add(float[] context, float[] history, float[] items) {
    int width = schema.itemWidth();
    if (items.length % width != 0) {
      throw new IllegalArgumentException(
          "items hold %d numbers, expected a multiple of %d".formatted(items.length, width));
    }
    int more = items.length / width;
    checkRoomFor(more);
    beginRequest(context, history);
    reserve(more);
    this.items.put(items);
    for (int i = 0; i < more; i++) {
      request.put(requests - 1);
    }
    candidates += more;
  }

  /** Begins a request; the candidates that follow are its own. Shapes as in {@link #add}. */
  public void beginRequest(float[] context, float[] history) {
    checkLength("context", context, schema.contextWidth());
    checkLength("history", history, schema.historySize());
    this.context = withRoom(this.context, context.length);
    this.history = withRoom(this.history, history.length);
    this.context.put(context);
    this.history.put(history);
    if (requests == firstCandidate.length) {
      firstCandidate = Arrays.copyOf(firstCandidate, 2 * requests);
    }
    firstCandidate[requests++] = candidates;
  }

  /** Adds the candidate at {@code features[offset..offset + itemWidth)} to the latest request. */
  public void addCandidate(float[] features, int offset) {
    if (requests == 0) {
      throw new IllegalStateException("a candidate before the first request");
    }
    checkRoomFor(1);
    reserve(1);
    items.put(features, offset, schema.itemWidth());
    request.put(requests - 1);
    candidates++;
  }

  /** Empties the batch and keeps its memory. */
  public void clear() {
    context.clear();
    history.clear();
    items.clear();
    request.clear();
    requests = 0;
    candidates = 0;
  }

  /** The schema to which the rows were encoded. */
  public FeatureSchema schema() {
    return schema;
  }

  /** How many requests the batch holds. */
  public int requests() {
    return requests;
  }

  /** How many candidates all requests have together. */
  public int candidates() {
    return candidates;
  }

  /** Index of a request's first candidate. */
  int from(int request) {
    return firstCandidate[request];
  }

  /** One past the index of a request's last candidate. */
  int to(int request) {
    return request + 1 < requests ? firstCandidate[request + 1] : candidates;
  }

  /** How often a buffer was replaced by a larger one: tensors over it are then of no use. */
  int growths() {
    return growths;
  }

  /** Index of the first candidate of each request, and at the end the number of candidates. */
  int[] bounds() {
    int[] bounds = Arrays.copyOf(firstCandidate, requests + 1);
    bounds[requests] = candidates;
    return bounds;
  }

  FloatBuffer filledContext() {
    return context.duplicate().flip();
  }

  FloatBuffer filledHistory() {
    return history.duplicate().flip();
  }

  FloatBuffer filledItems() {
    return items.duplicate().flip();
  }

  LongBuffer filledRequest() {
    return request.duplicate().flip();
  }

  private void checkRoomFor(int more) {
    if (candidates + more > MAX_CANDIDATES) {
      throw new IllegalArgumentException(
          "%d candidates in one batch, at most %d".formatted(candidates + more, MAX_CANDIDATES));
    }
  }

  private static void checkLength(String name, float[] row, int expected) {
    if (row.length != expected) {
      throw new IllegalArgumentException(
          "%s holds %d numbers, expected %d".formatted(name, row.length, expected));
    }
  }

  private void reserve(int more) {
    items = withRoom(items, Math.multiplyExact(more, schema.itemWidth()));
    if (request.remaining() < more) {
      growths++;
      request =
          longs(Math.max(2 * request.capacity(), request.position() + more)).put(request.flip());
    }
  }

  private FloatBuffer withRoom(FloatBuffer buffer, int more) {
    if (buffer.remaining() >= more) {
      return buffer;
    }
    growths++;
    int capacity = Math.max(2 * buffer.capacity(), buffer.position() + more);
    return floats(capacity).put(buffer.flip());
  }

  private static FloatBuffer floats(int capacity) {
    return direct((long) capacity * Float.BYTES).asFloatBuffer();
  }

  private static LongBuffer longs(int capacity) {
    return direct((long) capacity * Long.BYTES).asLongBuffer();
  }

  private static ByteBuffer direct(long bytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
  }
}
