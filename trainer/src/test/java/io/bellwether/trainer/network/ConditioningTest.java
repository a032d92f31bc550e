package io.bellwether.trainer.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditioningTest {
  private static final NetworkSchema SCHEMA =
      new NetworkSchema(
          List.of(new Column.Flag("morning"), new Column.Flag("new")),
          List.of(),
          0,
          List.of(new Column.Flag("fresh"), new Column.Flag("long")),
          List.of("watch"));
  private static final NetworkConfig CONFIG = new NetworkConfig(8, 4, 4).withConditioned(true);

  private static PolicyNetworks networks() {
    return new PolicyNetworks(SCHEMA, CONFIG, normalisation());
  }

  private static Normalisation normalisation() {
    ColumnScaling flags = new ColumnScaling(new float[2], new float[] {1, 1});
    return new Normalisation(flags, new ColumnScaling(new float[0], new float[0]), flags);
  }

  /** Three items in each of two states. */
  private static float[] logits(Actor actor, Parameters parameters) {
    Graph graph = new Graph();
    graph.output(
        "logits",
        actor.logits(
            Weights.constant(graph, parameters),
            new StateRows(graph.constant(new float[] {1, 0, 0.5f, 1}, Shape.of(2, 2)), null),
            graph.constant(new float[] {1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1}, Shape.of(6, 2)),
            new Candidates.Padded(3)));
    try (TrainingSession session =
        new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
      session.step();
      return session.values("logits");
    }
  }

  @Test
  void withoutWeightsOfItsOwnItChangesNothing() {
    Actor actor = networks().actor();
    Parameters conditioned = networks().initialActor(3);
    Actor plain =
        new PolicyNetworks(SCHEMA, CONFIG.withConditioned(false), normalisation()).actor();
    Parameters same = plain.layout().initial(3, 0);
    for (String name : plain.layout().names()) {
      same = same.with(name, conditioned.get(name));
    }
    float[] expected = logits(plain, same);
    Parameters without = conditioned;
    for (String name : conditioned.layout().names()) {
      if (name.contains(".conditioning.")) {
        without = without.with(name, new float[conditioned.get(name).length]);
      }
    }
    assertArrayEquals(expected, logits(actor, without), 1e-6f);
    assertFalse(Arrays.equals(expected, logits(actor, conditioned)));
  }

  @Test
  void aUnitGoesWithWhatConditionsIt() {
    Actor actor = networks().actor();
    Parameters parameters = networks().initialActor(3);
    List<int[]> everyOther = new ArrayList<>();
    actor.hiddenLayers().forEach(layer -> everyOther.add(new int[] {1, 3, 5, 7}));
    KeptUnits kept = new KeptUnits(actor.hiddenLayers(), everyOther);
    float[] zeroed = parameters.values().clone();
    float[] mask = kept.mask(actor.layout());
    for (int i = 0; i < zeroed.length; i++) {
      zeroed[i] *= mask[i];
    }
    Parameters narrowed = kept.narrowed(parameters);
    assertEquals(Shape.of(4, 4), narrowed.layout().shape("actor.item.conditioning.scale.weight"));
    assertArrayEquals(
        logits(actor, new Parameters(actor.layout(), zeroed)), logits(actor, narrowed), 1e-6f);
  }

  @Test
  void towersForRetrievalEmbedItemsBeforehand() {
    RetrievalNetwork towers = new RetrievalNetwork(SCHEMA, CONFIG, normalisation());
    Parameters actor = networks().initialActor(9);
    assertTrue(actor.layout().names().containsAll(towers.layout().names()));
    assertFalse(towers.layout().names().toString().contains("conditioning"));
    assertArrayEquals(
        actor.get("actor.item.second.weight"),
        towers.initial(1, actor).get("actor.item.second.weight"));
  }
}
