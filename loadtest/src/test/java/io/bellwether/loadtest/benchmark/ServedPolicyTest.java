package io.bellwether.loadtest.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.ingestion.feature.Column;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.PolicyValue;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.loadtest.people.TrueValue;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ServedPolicyTest {
  private static final int SESSIONS = 500;

  private static Surface surface;
  private static FeatureLayout layout;

  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);

  @BeforeAll
  static void readSurface() throws Exception {
    surface = new SurfaceReader().read(Path.of("../examples/surfaces/short-video.yaml"));
    layout = FeatureLayout.of(surface);
  }

  @Test
  void theProductsOwnRankingAsAGraphIsWorthWhatItIsWorthInTheWorld() throws InterruptedException {
    try (Scorer scorer =
        Scorer.open(ranking(layout.contextWidth()), schema(layout.contextWidth()))) {
      ServedPolicy served = new ServedPolicy(surface, world.catalogue(), scorer);
      PolicyValue expected = value(2, LinearPolicy.logging(world.catalogue()));
      for (PolicyValue found : List.of(value(2, served), value(1, served))) {
        for (Signal signal : Signal.values()) {
          assertEquals(1, found.ratioTo(expected, signal).mean(), 1e-4, signal.name());
        }
      }
    }
  }

  private PolicyValue value(int threads, SimulatedPolicy policy) throws InterruptedException {
    return new TrueValue(world, threads, 100).of(policy, 0, SESSIONS, 1);
  }

  @Test
  void aGraphOfAnotherSurfaceIsRefused() {
    int wider = layout.contextWidth() + 1;
    try (Scorer scorer = Scorer.open(ranking(wider), schema(wider))) {
      Catalogue catalogue = world.catalogue();
      assertThrows(
          IllegalArgumentException.class, () -> new ServedPolicy(surface, catalogue, scorer));
    }
  }

  private static FeatureSchema schema(int contextWidth) {
    return new FeatureSchema(
        layout.digest(),
        contextWidth,
        layout.historyLength(),
        layout.historyWidth(),
        layout.itemWidth(),
        List.of());
  }

  /**
   * {@code (1.4 taste·topic + 0.5 quality) / 0.35}, which is L0's before the surface's uniform
   * share.
   */
  private static byte[] ranking(int contextWidth) {
    Graph graph = new Graph();
    long requests = graph.symbol("R");
    long candidates = graph.symbol("N");
    Tensor context = graph.input("context", ElementType.FLOAT, Shape.of(requests, contextWidth));
    graph.input(
        "history",
        ElementType.FLOAT,
        Shape.of(requests, layout.historyLength(), layout.historyWidth()));
    Tensor items =
        graph.input("items", ElementType.FLOAT, Shape.of(candidates, layout.itemWidth()));
    Tensor request = graph.input("request", ElementType.INT64, Shape.of(candidates));
    int taste = column(layout.context(), "taste:0");
    int topic = column(layout.item(), "topic:0");
    int quality = column(layout.item(), "quality");
    Tensor match =
        context
            .slice(1, taste, taste + Catalogue.TOPICS)
            .gatherRows(request)
            .mul(items.slice(1, topic, topic + Catalogue.TOPICS))
            .sum(1);
    Tensor score =
        match.reshape(candidates, 1).mul(1.4f).add(items.slice(1, quality, quality + 1).mul(0.5f));
    graph.output("logits", score.mul(1 / 0.35f).reshape(candidates));
    return graph.toModel("ranking", new TreeMap<>());
  }

  private static int column(List<Column> columns, String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no column " + name + " in " + columns);
  }
}
