package io.bellwether.policy.scoring;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.bellwether.policy.schema.FeatureSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A batch together with the tensors over it and the memory that logits are written into: what
 * scores again and again allocates nothing of the size of a batch. Any {@link Scorer} of the same
 * schema can run in it. Tensors of the {@value #KEPT_SHAPES} shapes seen last are kept.
 *
 * <p>Owns native tensors until {@link #close}. Confined to one thread at a time.
 */
public final class ScoringLane implements AutoCloseable {

  /** Single requests repeat a few numbers of candidates; what was gathered hardly ever repeats. */
  private static final int KEPT_SHAPES = 8;

  private static final int INITIAL_CANDIDATES = 128;

  private final ScoringBatch batch;
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();

  /** The one used last comes first. */
  private final Deque<Shape> shapes = new ArrayDeque<>(KEPT_SHAPES + 1);

  private FloatBuffer logits = floats(INITIAL_CANDIDATES);
  private int growths;

  private record Shape(int requests, int candidates, Tensors tensors) {}

  /** An empty lane for graphs of this schema. */
  public ScoringLane(FeatureSchema schema) {
    batch = new ScoringBatch(schema);
  }

  /** What is to be scored next. */
  public ScoringBatch batch() {
    return batch;
  }

  /** The schema to which the rows are encoded. */
  public FeatureSchema schema() {
    return batch.schema();
  }

  /**
   * Scores every candidate of the batch; {@link #logits} gives them until the next call.
   *
   * @throws IllegalArgumentException where the graph has another schema
   * @throws ScoringException where the graph fails
   */
  public void score(Scorer scorer) {
    if (batch.candidates() == 0) {
      return;
    }
    try {
      Tensors tensors = tensors();
      scorer.run(batch, tensors);
    } catch (OrtException e) {
      throw new ScoringException(
          "cannot score %d requests with %d candidates"
              .formatted(batch.requests(), batch.candidates()),
          e);
    }
  }

  /**
   * The logits of one of the requests that were scored, in memory of its own.
   *
   * @throws ScoringException where one of them is not finite, which says nothing about the other
   *     requests
   */
  public float[] logits(int request) {
    int from = batch.from(request);
    float[] own = new float[batch.to(request) - from];
    logits.get(from, own);
    for (float logit : own) {
      if (!Float.isFinite(logit)) {
        throw new ScoringException("scores that are not finite");
      }
    }
    return own;
  }

  @Override
  public void close() {
    shapes.forEach(shape -> shape.tensors().close());
    shapes.clear();
  }

  private Tensors tensors() throws OrtException {
    if (logits.capacity() < batch.candidates()) {
      logits = floats(Math.max(batch.candidates(), 2 * logits.capacity()));
      close();
    }
    if (growths != batch.growths()) {
      growths = batch.growths();
      close();
    }
    Shape shape = take();
    if (shape == null) {
      shape =
          new Shape(
              batch.requests(),
              batch.candidates(),
              new Tensors(environment, batch, logits.slice(0, batch.candidates())));
    }
    shapes.addFirst(shape);
    if (shapes.size() > KEPT_SHAPES) {
      shapes.removeLast().tensors().close();
    }
    return shape.tensors();
  }

  /** The tensors of the batch's shape, taken out of their place. */
  private @Nullable Shape take() {
    for (Iterator<Shape> all = shapes.iterator(); all.hasNext(); ) {
      Shape shape = all.next();
      if (shape.requests() == batch.requests() && shape.candidates() == batch.candidates()) {
        all.remove();
        return shape;
      }
    }
    return null;
  }

  private static FloatBuffer floats(int capacity) {
    return ByteBuffer.allocateDirect(Math.multiplyExact(capacity, Float.BYTES))
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }
}
