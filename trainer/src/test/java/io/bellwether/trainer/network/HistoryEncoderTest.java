package io.bellwether.trainer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HistoryEncoderTest {
  private static final int WIDTH = 3;
  private static final int STATES = 2;
  private static final NetworkConfig CONFIG = new NetworkConfig(8, 4, 6);

  private static NetworkSchema schema(int length) {
    return new NetworkSchema(
        List.of(new Column.Flag("always")),
        List.of(
            new Column.Flag("valid"), new Column.Flag("liked"), new Column.Category("topic", 4)),
        length,
        List.of(new Column.Flag("fresh")),
        List.of("watch"));
  }

  private static Normalisation normalisation() {
    return new Normalisation(flags(1), flags(WIDTH), flags(1));
  }

  private static ColumnScaling flags(int columns) {
    float[] scale = new float[columns];
    Arrays.fill(scale, 1);
    return new ColumnScaling(new float[columns], scale);
  }

  private static HistoryEncoder encoder(HistoryForm form, int length) {
    return HistoryEncoder.of("h", schema(length), CONFIG.withForm(form), normalisation());
  }

  private static Parameters first(HistoryEncoder encoder) {
    ParameterLayout.Builder builder = new ParameterLayout.Builder();
    encoder.declare(builder);
    return builder.build().initial(5, 0);
  }

  /** Rows of both states, of which these many, the newest, are valid. */
  private static float[] rows(int length, int valid) {
    float[] rows = new float[STATES * length * WIDTH];
    for (int state = 0; state < STATES; state++) {
      for (int age = 0; age < valid; age++) {
        int at = (state * length + length - 1 - age) * WIDTH;
        rows[at] = 1;
        rows[at + 1] = (float) CounterRandom.normal(1, 1, state, age, 0);
        rows[at + 2] = (float) Math.floor(4 * CounterRandom.uniform(1, 2, state, age, 0));
      }
    }
    return rows;
  }

  private static float[] encode(HistoryEncoder encoder, Parameters parameters, float[] rows) {
    Graph graph = new Graph();
    long length = rows.length / STATES / WIDTH;
    graph.output(
        "encoded",
        encoder.apply(
            Weights.constant(graph, parameters),
            graph.input("rows", ElementType.FLOAT, Shape.of(STATES, length, WIDTH))));
    try (TrainingSession session =
        new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
      session.floats("rows").put(rows);
      session.step();
      return session.values("encoded");
    }
  }

  @ParameterizedTest
  @EnumSource
  void morePaddingChangesNothing(HistoryForm form) {
    HistoryEncoder tight = encoder(form, 3);
    HistoryEncoder padded = encoder(form, 7);
    Parameters parameters = first(tight);
    Parameters longer = first(padded);
    for (String name : longer.layout().names()) {
      float[] more = longer.get(name);
      float[] same = parameters.get(name);
      // Places are counted from the newest row: those of older rows stand in front.
      System.arraycopy(same, 0, more, more.length - same.length, same.length);
      longer = longer.with(name, more);
    }
    float[] expected = encode(tight, parameters, rows(3, 3));
    assertEquals(STATES * tight.width(), expected.length);
    assertArrayEquals(expected, encode(padded, longer, rows(7, 3)), 1e-6f);
  }

  @ParameterizedTest
  @EnumSource
  void whatPaddingHoldsChangesNothing(HistoryForm form) {
    HistoryEncoder encoder = encoder(form, 5);
    Parameters parameters = first(encoder);
    float[] rows = rows(5, 2);
    float[] expected = encode(encoder, parameters, rows);
    for (int state = 0; state < STATES; state++) {
      rows[state * 5 * WIDTH + 1] = 7;
      rows[(state * 5 + 2) * WIDTH + 2] = 3;
    }
    assertArrayEquals(expected, encode(encoder, parameters, rows));
  }

  @ParameterizedTest
  @EnumSource
  void aStateWithoutValidRowsHasZeros(HistoryForm form) {
    HistoryEncoder encoder = encoder(form, 4);
    assertArrayEquals(
        new float[STATES * encoder.width()], encode(encoder, first(encoder), rows(4, 0)), 1e-30f);
  }

  @ParameterizedTest
  @EnumSource
  void oneRowIsAHistory(HistoryForm form) {
    HistoryEncoder encoder = encoder(form, 1);
    float[] encoded = encode(encoder, first(encoder), rows(1, 1));
    assertFalse(Arrays.equals(new float[encoded.length], encoded));
  }

  @ParameterizedTest
  @EnumSource
  void allButTheMeanTellOrders(HistoryForm form) {
    HistoryEncoder encoder = encoder(form, 2);
    Parameters parameters = first(encoder);
    float[] rows = rows(2, 2);
    float[] turned = rows.clone();
    for (int state = 0; state < STATES; state++) {
      int at = state * 2 * WIDTH;
      System.arraycopy(rows, at, turned, at + WIDTH, WIDTH);
      System.arraycopy(rows, at + WIDTH, turned, at, WIDTH);
    }
    float[] straight = encode(encoder, parameters, rows);
    float[] other = encode(encoder, parameters, turned);
    double most = 0;
    for (int i = 0; i < straight.length; i++) {
      most = Math.max(most, Math.abs(straight[i] - other[i]));
    }
    assertEquals(form != HistoryForm.MEAN, most > 1e-3, form + " differs by " + most);
  }

  @ParameterizedTest
  @EnumSource
  void theTowersForRetrievalStartFromTheActors(HistoryForm form) {
    NetworkConfig config = CONFIG.withForm(form);
    Parameters actor = new PolicyNetworks(schema(3), config, normalisation()).initialActor(9);
    Parameters towers = new RetrievalNetwork(schema(3), config, normalisation()).initial(9, actor);
    assertTrue(actor.layout().names().containsAll(towers.layout().names()));
    for (String name : towers.layout().names()) {
      assertArrayEquals(actor.get(name), towers.get(name));
    }
  }

  @Test
  void aFormIsKnownByItsWord() {
    assertEquals(HistoryForm.STATE_SPACE, HistoryForm.of("state-space"));
    for (HistoryForm form : HistoryForm.values()) {
      assertEquals(form, HistoryForm.of(form.word()));
    }
    assertEquals(
        "no form of history is called median; there are mean, gru, state-space, attention",
        assertThrows(IllegalArgumentException.class, () -> HistoryForm.of("median")).getMessage());
  }
}
