package io.bellwether.trainer.pruning;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.StateRows;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Batches of logged states with some of their own candidates, and the whole actor's scores of them.
 * Of every eight states one is kept apart, to measure on. Confined to one thread.
 */
final class LoggedStates {

  private static final long TAG = 931;
  private static final int APART_DRAW = 0;
  private static final int STATE_DRAW = 1;
  private static final int FIRST_DRAW = 2;

  /** Every state whose row id is a multiple is kept apart. */
  private static final int KEPT_APART = 8;

  private final Scorer whole;
  private final LearnerData data;
  private final int states;
  private final int slots;
  private final long seed;
  private final int[] learned;
  private final int[] keptApart;
  private final ScoringBatch scoring;
  private final float[] drawn;
  private final float[] empty;
  private final float[] teacher;

  LoggedStates(Scorer whole, LearnerData data, int states, int slots, long seed) {
    this.whole = whole;
    this.data = data;
    this.states = states;
    this.slots = slots;
    this.seed = seed;
    int[] apart = rows(true);
    int[] rest = rows(false);
    // Of a handful of rows all may fall on one side.
    learned = rest.length == 0 ? apart : rest;
    keptApart = apart.length == 0 ? rest : apart;
    scoring = new ScoringBatch(whole.schema());
    drawn = new float[states * slots * whole.schema().itemWidth()];
    empty = new float[states * slots];
    teacher = new float[states * slots];
  }

  private int[] rows(boolean apart) {
    return IntStream.range(0, data.rows())
        .filter(row -> data.candidates(row) > 0)
        .filter(
            row ->
                apart
                    == (Math.floorMod(
                            CounterRandom.hash(seed, TAG, data.rowId()[row], APART_DRAW, 0),
                            KEPT_APART)
                        == 0))
        .toArray();
  }

  int[] learned() {
    return learned;
  }

  int[] keptApart() {
    return keptApart;
  }

  /** Fills a step's inputs with a batch of its own number from among these rows. */
  void feed(TrainingSession session, int[] rows, int batch) {
    int context = whole.schema().contextWidth();
    int history = whole.schema().historySize();
    FloatBuffer contexts = session.floats(StateRows.CONTEXT);
    Arrays.fill(drawn, 0);
    scoring.clear();
    for (int state = 0; state < states; state++) {
      int row = rows[(int) (uniform(STATE_DRAW, batch, state) * rows.length)];
      contexts.put(data.context(), row * context, context);
      if (history > 0) {
        session
            .floats(StateRows.HISTORY)
            .position(state * history)
            .put(data.history(), row * history, history);
      }
      scoring.beginRequest(
          Arrays.copyOfRange(data.context(), row * context, (row + 1) * context),
          Arrays.copyOfRange(data.history(), row * history, (row + 1) * history));
      candidates(row, batch, state);
    }
    float[] scores = whole.score(scoring).logits();
    int at = 0;
    for (int slot = 0; slot < teacher.length; slot++) {
      teacher[slot] = empty[slot] == 0 ? scores[at++] : 0;
    }
    session.floats(ImitationGraph.ITEMS).put(drawn);
    session.floats(ImitationGraph.TEACHER).put(teacher);
    session.floats(ImitationGraph.EMPTY).put(empty);
  }

  /** All candidates of a row, or as many as there are slots for, from a drawn one on. */
  private void candidates(int row, int batch, int state) {
    int width = whole.schema().itemWidth();
    int count = data.candidates(row);
    int first = count <= slots ? 0 : (int) (uniform(FIRST_DRAW, batch, state) * count);
    for (int i = 0; i < slots; i++) {
      int slot = state * slots + i;
      if (i < count) {
        int item = data.itemOffsets()[row] + (first + i) % count;
        System.arraycopy(data.items(), item * width, drawn, slot * width, width);
        scoring.addCandidate(drawn, slot * width);
        empty[slot] = 0;
      } else {
        empty[slot] = ImitationGraph.NONE;
      }
    }
  }

  private double uniform(int what, int batch, int index) {
    return CounterRandom.uniform(seed, TAG, what, batch, index);
  }
}
