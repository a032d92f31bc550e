package io.bellwether.loadtest.serving;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.serving.Scenario.Features;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.data.SurfaceSchema;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios that ship, and what is made of them. */
class ScenarioFolderTest {
  private static final Path SHIPPED = Path.of("..", "examples", "benchmarks");

  @Test
  void allThatShipIsReadAndTheFirstIsTheReference() throws Exception {
    List<Scenario> scenarios = ScenarioFolder.read(SHIPPED);
    assertEquals("by-id", scenarios.get(0).scenario());
    assertEquals(1.5, scenarios.get(0).required().p50());
    assertTrue(scenarios.stream().anyMatch(each -> each.features() == Features.INLINE));
    assertTrue(scenarios.stream().anyMatch(each -> each.scenario().equals(ServingResult.LINEAR)));
  }

  @Test
  void eachGraphIsOneOfItsSurfaceAndEqualSeedsGiveEqualBytes() throws Exception {
    for (Scenario scenario : ScenarioFolder.read(SHIPPED)) {
      Surface surface = surface(scenario);
      byte[] graph = scenario.graph().model(surface, 3);
      try (Scorer scorer = Scorer.open(graph, SurfaceSchema.policy(surface))) {
        scorer.warmUp();
      }
      assertArrayEquals(graph, scenario.graph().model(surface, 3));
    }
  }

  @Test
  void eachRequestIsWholeAndHasAsManyCandidatesAsDeclared() throws Exception {
    for (Scenario scenario : ScenarioFolder.read(SHIPPED)) {
      DecisionRequests requests = DecisionRequests.of(scenario, surface(scenario), "h:1", 5);
      byte[] request = requests.request(7);
      int end = HttpHead.end(request, request.length);
      assertEquals(HttpHead.bodyBytes(request, end, 0), request.length - end);
      JsonNode body = new ObjectMapper().readTree(request, end, request.length - end);
      assertEquals(scenario.surface(), body.path("surface").asText());
      assertEquals(
          scenario.features() == Features.RETRIEVED ? 0 : scenario.candidates(),
          body.path("candidates").size());
      String noop = new String(requests.toNoop("h:1").request(7), StandardCharsets.UTF_8);
      assertTrue(noop.startsWith("POST /v1/noop HTTP/1.1\r\n"));
      assertEquals(request.length - end, noop.length() - noop.indexOf("\r\n\r\n") - 4);
    }
  }

  @Test
  void theBareGraphRunsOnce() throws Exception {
    Scenario scenario = ScenarioFolder.read(SHIPPED).get(0);
    Surface surface = surface(scenario);
    try (BareGraph graph =
        new BareGraph(
            scenario.graph().model(surface, 1), FeatureLayout.of(surface), scenario.candidates())) {
      BareGraph.Times times = graph.run(TimeUnit.MILLISECONDS.toNanos(1));
      assertTrue(times.latency().count() >= 1);
    }
  }

  @Test
  void aMistakeIsToldWithItsFile(@TempDir Path folder) throws Exception {
    String shipped = Files.readString(SHIPPED.resolve("1-by-id.yaml"));
    Files.writeString(folder.resolve("a.yaml"), shipped.replace("graph: mlp", "graph: tree"));
    assertTrue(refusal(folder).contains("a.yaml"));
    Files.writeString(
        folder.resolve("a.yaml"), shipped.replace("candidates: 100", "candidates: 1001"));
    assertTrue(refusal(folder).contains("items at least as many as candidates"));
    Files.writeString(folder.resolve("a.yaml"), shipped + "\nrate: 5\n");
    assertTrue(refusal(folder).contains("rate"));
  }

  private static String refusal(Path folder) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> ScenarioFolder.read(folder))
            .getMessage());
  }

  private static Surface surface(Scenario scenario) throws Exception {
    return new SurfaceReader()
        .read(SHIPPED.resolve("surfaces").resolve(scenario.surface() + ".yaml"));
  }
}
