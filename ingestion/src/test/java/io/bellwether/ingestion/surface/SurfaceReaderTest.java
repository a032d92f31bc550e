package io.bellwether.ingestion.surface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurfaceReaderTest {

  private static final Path EXAMPLES = Path.of("../examples/surfaces");

  private static final String SMALL =
      """
      surface: home-feed
      slate: { size: 2 }
      item:
        - { name: topic, type: category }
      signals:
        - { name: like, type: flag, window: 30m }
      objective: { maximize: like }
      """;

  private final SurfaceReader reader = new SurfaceReader();

  @Test
  void bothExamplesAreRead() throws Exception {
    List<Surface> surfaces = reader.readFolder(EXAMPLES);

    assertEquals(
        List.of("open-bandit", "short-video"), surfaces.stream().map(Surface::name).toList());
    Surface video = surfaces.get(1);
    assertEquals(Duration.ofSeconds(15), video.longestWindow());
    assertEquals(0.97, video.objective().discount());
    assertEquals(Optional.of("leave"), video.sessions().endsWith());
    assertEquals("like at-least 95% of champion", video.constraints().get(1).words());
    assertEquals(2, video.ranking().orElseThrow().terms().size());
  }

  @Test
  void whatIsLeftOutTakesTheDocumentedDefault() throws Exception {
    Surface surface = parse(SMALL);

    assertEquals(500, surface.maxCandidates());
    assertEquals(0, surface.history().last());
    assertEquals(0.95, surface.objective().discount());
    assertEquals(new Surface.Exploration(1, 0.02, 1e-4), surface.exploration());
    assertEquals(Duration.ofMinutes(30), surface.sessions().gap());
    assertEquals(Duration.ofMillis(50), surface.deadline());
    assertEquals(List.of(Surface.Fallback.CHAMPION, Surface.Fallback.AS_GIVEN), surface.fallback());
    assertEquals(Surface.WhenUnlogged.REFUSE, surface.whenUnlogged());
    assertEquals(Optional.empty(), surface.ranking());
  }

  @Test
  void anUnknownSignalIsRefusedWithLineFieldFoundAndRight() {
    Problem problem =
        onlyProblemOf(SMALL + "constraints:\n  - { signal: likes, at-least: 98% of champion }\n");

    assertEquals(9, problem.line());
    assertEquals("constraints[0].signal", problem.field());
    assertEquals("'likes'", problem.found());
    assertEquals("one of the signals like", problem.right());
  }

  @Test
  void anUnknownFieldIsRefusedWithTheKnownOnes() {
    Problem problem = onlyProblemOf(SMALL + "explortion: { uniform: 0.1 }\n");

    assertEquals(8, problem.line());
    assertEquals("unknown field 'explortion'", problem.found());
    assertTrue(problem.right().contains("exploration"));
  }

  @Test
  void aWrongTypeIsRefusedWithItsLine() {
    Problem problem = onlyProblemOf(SMALL.replace("size: 2", "size: two"));

    assertEquals(
        "line 2: slate.size: found 'two', must be a whole number from 1 to 50", problem.toString());
  }

  @Test
  void everyMistakeOfAFileIsFoundAtOnce() {
    InvalidSurfaceException refused =
        refused(SMALL.replace("30m", "soon").replace("type: category", "type: colour"));

    assertEquals(List.of(4, 6), refused.problems().stream().map(Problem::line).toList());
  }

  @Test
  void aFileThatIsNotYamlIsRefusedWithItsLine() {
    assertEquals(2, onlyProblemOf("surface: x\n\tslate: 1\n").line());
    assertEquals("nothing", onlyProblemOf("").found());
  }

  @Test
  void twoBoundsInOneConstraintAreRefused() {
    String both = "constraints:\n  - { signal: like, at-least: 0.1, at-most: 0.2 }\n";

    assertEquals("both bounds", onlyProblemOf(SMALL + both).found());
  }

  @Test
  void aFlagMayBeTheSilenceOfOtherSignals() throws Exception {
    Surface surface = parse(withSignal("{ name: ignored, type: flag, silence-of: [like] }"));

    Signal ignored = surface.signal("ignored").orElseThrow();
    assertEquals(List.of("like"), ignored.silenceOf());
    assertEquals(Duration.ofMinutes(30), ignored.window());
    assertTrue(surface.signal("like").orElseThrow().accepts(1));
    assertFalse(ignored.accepts(1));
  }

  @Test
  void aSilenceNamesSignalsThatAreSentAndHasNoWindowOfItsOwn() {
    String found =
        onlyProblemOf(withSignal("{ name: x, type: flag, silence-of: [likes] }")).found();
    assertEquals("'likes'", found);
    assertEquals(
        "'x'", onlyProblemOf(withSignal("{ name: x, type: flag, silence-of: [x] }")).found());
    String both = "{ name: x, type: flag, window: 1s, silence-of: [like] }";
    assertEquals("window and silence-of", onlyProblemOf(withSignal(both)).found());
    assertEquals("no window", onlyProblemOf(withSignal("{ name: x, type: flag }")).found());
    String ends = "sessions: { ends-with: x }\n";
    assertEquals(
        "'x', a silence",
        onlyProblemOf(withSignal("{ name: x, type: flag, silence-of: [like] }") + ends).found());
  }

  @Test
  void aFloorThatManyCandidatesCannotHaveIsRefused() {
    Problem problem = onlyProblemOf(SMALL + "exploration: { min-propensity: 0.01 }\n");

    assertEquals("at most 1 / 500 candidates", problem.right());
  }

  @Test
  void repeatedNamesAreRefused() {
    String twice =
        SMALL.replace(
            "  - { name: topic, type: category }",
            "  - { name: a, type: flag }\n  - { name: a, type: flag }");

    assertEquals("'a' twice", onlyProblemOf(twice).found());
    assertEquals("'surface' twice", onlyProblemOf(SMALL + "surface: other\n").found());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30m|30|line 6: signals[0].window: found '30', must be a length from 1ms to 30d",
        "30m|0s|line 6: signals[0].window: found '0s', must be a length from 1ms to 30d",
        "30m|999999999d|line 6: signals[0].window: found '999999999d', must be a length from",
        "like|decisions|line 6: signals[0].name: found 'decisions', must be none of [decisions,"
            + " seen]",
        "type: flag, |''|line 6: signals[0]: found no type, must be given: one of flag, number",
        "{ name: topic, type: category }|topic|line 4: item[0]: found 'topic', must be a map such"
            + " as { name: a, type: number }",
        "{ maximize: like }|like|line 7: objective: found 'like', must be a map with maximize",
        "size: 2|size: 2f|line 2: slate.size: found '2f', must be a whole number from 1 to 50",
        "{ size: 2 }|{ size: 2|line 3: (file): found no YAML (expected ',' or '}', but got :, in"
            + " what begins on line 2), must be one YAML document",
      })
  void aMistakeIsToldWithWhatWouldBeRight(String right, String wrong, String told) {
    String problem = onlyProblemOf(SMALL.replace(right, wrong)).toString();

    assertTrue(problem.startsWith(told), problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fallback: champion|found 'champion', must be a list of 1 to 4: [a, b], or lines",
        "fallback: [champion, champion]|found 'champion' twice, must be listed once",
        "history: { signals: [like, like], last: 5 }|found 'like' twice, must be listed once",
        "deadline: 0ms|found '0ms', must be a length from 1ms to 60s",
        "sessions: { gap: 31d }|found '31d', must be a length from 1ms to 30d",
        "constraints: [{ signal: like, at-least: 0.1 }, { signal: like, at-least: 0.2 }]"
            + "|found like at-least 0.2, must be compatible with: like at-least 0.1",
        "constraints: [{ signal: like, at-least: 0.3 }, { signal: like, at-most: 0.2 }]"
            + "|found like at-most 0.2, must be compatible with: like at-least 0.3",
      })
  void aMistakenLineIsToldWithWhatWouldBeRight(String line, String told) {
    String problem = onlyProblemOf(SMALL + line + "\n").toString();

    assertTrue(problem.contains(told), problem);
  }

  @Test
  void aRangeMayBePromisedByTwoConstraints() throws Exception {
    String range =
        "constraints: [{ signal: like, at-least: 0.1 }, { signal: like, at-most: 0.2 }]\n";

    assertEquals(2, parse(SMALL + range).constraints().size());
  }

  @Test
  void bothEndingsOfYamlFilesAreRead(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.yaml"), SMALL);
    Files.writeString(folder.resolve("b.yml"), SMALL.replace("home-feed", "push"));
    Files.writeString(folder.resolve("notes.txt"), "none");

    assertEquals(
        List.of("home-feed", "push"),
        reader.readFolder(folder).stream().map(Surface::name).toList());
  }

  @Test
  void manyAliasesDoNotBlowUp() {
    String bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\n";

    assertTrue(refused(bomb).problems().size() < 100);
  }

  @Test
  void theShippedJsonSchemaIsTheGeneratedOne() throws Exception {
    ObjectMapper json = new ObjectMapper();

    assertEquals(
        json.valueToTree(SurfaceReader.jsonSchema()),
        json.readTree(Files.readString(EXAMPLES.resolve("surface.schema.json"))),
        "write it anew with: ./bellwether surfaces schema > examples/surfaces/surface.schema.json");
  }

  private static String withSignal(String signal) {
    return SMALL.replace("objective:", "  - " + signal + "\nobjective:");
  }

  private Surface parse(String yaml) throws InvalidSurfaceException {
    return reader.parse("test.yaml", yaml.getBytes(StandardCharsets.UTF_8));
  }

  private InvalidSurfaceException refused(String yaml) {
    return assertThrows(InvalidSurfaceException.class, () -> parse(yaml));
  }

  private Problem onlyProblemOf(String yaml) {
    InvalidSurfaceException refused = refused(yaml);
    assertEquals(1, refused.problems().size(), refused.getMessage());
    return refused.problems().get(0);
  }
}
