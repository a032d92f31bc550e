package io.bellwether.loadtest.learning.bsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LearnedPolicyTest {
  private static final int SESSIONS = 300;

  @Test
  void theLoggingPolicyAsAGraphIsTheLoggingPolicyWhateverTheListsAreLike()
      throws InterruptedException {
    for (Profile profile : List.of(Profile.KUAIRAND, Profile.RAGGED, Profile.MASKED)) {
      ShortVideoWorld world = ShortVideoWorld.of(profile);
      TrueRatios truth = new TrueRatios(world, 0, SESSIONS, 2);
      try (LearnedPolicy policy =
          LearnedPolicy.of(logging(), world.catalogue(), Exploration.asUsed(0.35, 0.1))) {
        for (Estimate each : truth.of(policy).signals()) {
          assertEquals(1, each.mean(), 1e-4, profile.name());
        }
        assertEquals(0, Divergence.of(policy, world, 0, 50), 1e-6);
      }
    }
  }

  /** {@code 1.4 match + 0.5 quality}. */
  private static byte[] logging() {
    NetworkSchema schema = SimulatedFeatures.schema();
    List<String> columns = schema.item().stream().map(each -> each.name()).toList();
    Graph graph = new Graph();
    long requests = graph.symbol("R");
    long candidates = graph.symbol("N");
    graph.input("context", ElementType.FLOAT, Shape.of(requests, schema.context().size()));
    Tensor items = graph.input("items", ElementType.FLOAT, Shape.of(candidates, columns.size()));
    graph.input("request", ElementType.INT64, Shape.of(candidates));
    Tensor score =
        column(items, columns.indexOf("match"))
            .mul(1.4f)
            .add(column(items, columns.indexOf("quality")).mul(0.5f));
    graph.output("logits", score.reshape(candidates));
    return graph.toModel("logging", new TreeMap<>());
  }

  private static Tensor column(Tensor items, int index) {
    return items.slice(1, index, index + 1);
  }

  @Test
  void aCloneComesNearerToTheLoggingPolicyAndIsTheSameEachTime() throws InterruptedException {
    SimulatedTask task = new SimulatedTask(Profile.KUAIRAND, 60);
    TrueRatios truth = new TrueRatios(task.world(), 0, 100, 1);
    SimulatedCell.Outcome early = clone(task, 2).run(truth, truth, ProgressListener.NONE);
    SimulatedCell.Outcome late = clone(task, 60).run(truth, truth, ProgressListener.NONE);
    SimulatedCell.Outcome again = clone(task, 60).run(truth, truth, ProgressListener.NONE);
    assertTrue(late.divergence() < early.divergence() / 2);
    assertEquals(late.test(), again.test());
  }

  private static SimulatedCell clone(SimulatedTask task, long steps) {
    LearningMethod method = LearningMethod.single("clone", () -> BehaviourCloning.DEFAULT);
    return new SimulatedCell(task, method, 1, steps, 100);
  }
}
