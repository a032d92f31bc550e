package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The network that gives the policy: one score (logit) per candidate.
 *
 * <p>{@code z(s, a) = <W1 h, e> / √d + w · relu([W2 h, e, W2 h ∘ e] · W + b)}, where {@code h} is
 * the state tower's output, {@code e} the item tower's and {@code d} the embedding width. No score
 * depends on another candidate. Immutable.
 */
public final class Actor {
  private final StateTower state;
  private final ItemTower item;
  private final Dense query;
  private final Mixing mixing;
  private final Dense score;
  private final ParameterLayout layout;
  private final double root;

  public Actor(NetworkSchema schema, NetworkConfig config, Normalisation normalisation) {
    state = new StateTower("actor.state", schema, config, normalisation, false);
    item = new ItemTower("actor.item", schema, config, normalisation, false);
    query = Dense.output("actor.query", config.hidden(), config.embedding());
    mixing = new Mixing("actor.mixing", config, false);
    score = Dense.output("actor.score", config.hidden(), 1);
    root = Math.sqrt(config.embedding());
    ParameterLayout.Builder builder = new ParameterLayout.Builder();
    state.declare(builder);
    item.declare(builder);
    query.declare(builder);
    mixing.declare(builder);
    score.declare(builder);
    layout = builder.build();
  }

  public ParameterLayout layout() {
    return layout;
  }

  /**
   * The layers from which units can be taken: all whose units nothing but dense layers take. Not
   * the embedding, in whose units state and item meet, and not the encoding of the history.
   */
  public List<HiddenLayer> hiddenLayers() {
    List<String> fromState = new ArrayList<>(List.of("actor.query", "actor.mixing.gate"));
    List<HiddenLayer.Place> intoItem =
        new ArrayList<>(HiddenLayer.Place.unitsOf("actor.item.first"));
    for (String conditioning : item.conditioningLayers()) {
      fromState.add(conditioning);
      intoItem.addAll(HiddenLayer.Place.unitsOf(conditioning));
    }
    return List.of(
        HiddenLayer.between(layout, "actor.state.first", List.of("actor.state.second")),
        HiddenLayer.between(layout, "actor.state.second", fromState),
        HiddenLayer.of(layout, "actor.item.first", intoItem, List.of("actor.item.second")),
        HiddenLayer.of(
            layout,
            "actor.mixing",
            List.of(
                new HiddenLayer.Place("actor.mixing.state.weight", 1),
                new HiddenLayer.Place("actor.mixing.state.bias", 0),
                new HiddenLayer.Place("actor.mixing.item.weight", 1)),
            List.of("actor.score")));
  }

  /** Logits {@code [n]} of raw items {@code [n, Di]} in their states. */
  public Tensor logits(Weights weights, StateRows states, Tensor items, Candidates candidates) {
    Tensor h = state.apply(weights, states);
    Tensor e = item.apply(weights, items, h, candidates);
    Tensor product = candidates.innerProducts(e, query.apply(weights, h)).mul((float) (1 / root));
    Tensor mixed = score.apply(weights, mixing.apply(weights, h, e, candidates));
    return product.add(mixed).reshape(Shape.of(items.shape().dimension(0)));
  }
}
