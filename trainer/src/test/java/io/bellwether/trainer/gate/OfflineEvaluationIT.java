package io.bellwether.trainer.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.InvalidTrainingData;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.job.Baseline;
import io.bellwether.trainer.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfflineEvaluationIT {

  private static final int DECISIONS = 600;
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private PolicyStore store;
  private VersionId version;

  @BeforeEach
  void publishTheDeclaredRanking() {
    store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    version = new Baseline(CLOCK, "test").publish(log.surface(), store).id();
  }

  /** Every item alike. */
  static final class Uniform implements TargetPolicy {

    private static final long serialVersionUID = 1;

    @Override
    public String name() {
      return "uniform";
    }

    @Override
    public List<double[]> chances(List<EvaluatedDecision> decisions) {
      return decisions.stream().map(Uniform::chances).toList();
    }

    private static double[] chances(EvaluatedDecision decision) {
      double[] chances = new double[decision.candidateIds().size()];
      Arrays.fill(chances, 1.0 / chances.length);
      return chances;
    }

    @Override
    public void close() {}
  }

  @Test
  void columnsAndReportAreTheSameBytesAtAnyParallelismAndOrder() throws IOException {
    writeInParts("archive", 6);
    EvaluationRequest request = request("archive").withSegments(List.of("country", "mood"));
    byte[] report = evaluated(request, 1, "one");
    SortedMap<String, byte[]> one = scored("one");
    assertTrue(one.size() > 15, one.keySet()::toString);
    for (int parallelism : new int[] {2, 4}) {
      String run = "run-" + parallelism;
      assertArrayEquals(report, evaluated(request, parallelism, run), run);
      SortedMap<String, byte[]> many = scored(run);
      assertEquals(one.keySet(), many.keySet());
      one.forEach((file, bytes) -> assertArrayEquals(bytes, many.get(file), file));
    }
  }

  /** Copies, and restatements that say the same, change only what was read. */
  private void writeInParts(String archive, int files) throws IOException {
    for (int file = 0; file < files; file++) {
      List<Transition> transitions =
          log.transitions(file * DECISIONS / files, (file + 1) * DECISIONS / files);
      if (file == 1) {
        transitions.add(log.transition(7));
        Transition restated = log.transition(9);
        restated.setRevision(1);
        transitions.add(restated);
        Collections.reverse(transitions);
      }
      SyntheticLog.write(folder.resolve(archive), "file" + file, transitions);
    }
  }

  private byte[] evaluated(EvaluationRequest request, int parallelism, String run)
      throws IOException {
    try (TargetPolicy target = ScoredTarget.open(store, version, log.surface())) {
      return ReportJson.report(
          evaluation(run, parallelism).evaluate(request, new Uniform(), target));
    }
  }

  private OfflineEvaluation evaluation(String run, int parallelism) {
    return new OfflineEvaluation(CLOCK, "test", folder.resolve(run), parallelism, lines::add);
  }

  /** Files of the only evaluation in a folder, by name. */
  private SortedMap<String, byte[]> scored(String run) throws IOException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> found = Files.walk(folder.resolve(run))) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("column-")
            || name.startsWith("manifest")
            || name.equals("support.bin")) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    }
    return files;
  }

  @Test
  void aReportAsOfATimeStaysAsItIsWhenDataIsRestated() throws IOException {
    SyntheticLog.write(folder.resolve("archive"), "first", log.transitions(0, 300));
    Instant first = Instant.ofEpochSecond(1_700_000_200);
    EvaluationRequest asOfFirst = request("archive").withAsOf(first);
    byte[] before = evaluated(asOfFirst, 2, "before");

    Instant second = first.plusSeconds(3600);
    List<Transition> restated = log.transitions(20, 50);
    for (Transition transition : restated) {
      transition.setRevision(1);
      transition.setJoinedAtMicros(second.getEpochSecond() * 1_000_000L);
      transition.setSignals(List.of(new SignalValue("watch", 0, 50.0, 1)));
    }
    SyntheticLog.write(folder.resolve("archive"), "second", restated);

    assertArrayEquals(before, evaluated(asOfFirst, 2, "again"));
    assertTrue(
        lines.contains("30 transitions were joined after " + first + " and are left out"),
        lines::toString);
    EvaluationRecord after =
        evaluation("after", 2).evaluate(request("archive").withAsOf(second), new Uniform());
    assertEquals(30, after.data().restated());
    assertEquals(30, after.data().findings().get(Finding.SUPERSEDED));
    assertEquals(300, after.data().decisions());
    assertNotEquals(
        new String(before, UTF_8),
        new String(evaluated(request("archive").withAsOf(second), 2, "after"), UTF_8));
    double sum = 0;
    for (int number = 0; number < 300; number++) {
      sum += number >= 20 && number < 50 ? 50 : watched(log.transition(number));
    }
    assertEquals(sum / 300, mean(after, "watch"), 1e-9);
  }

  private static double watched(Transition transition) {
    return transition.getSignals().stream()
        .filter(value -> value.getSignal().equals("watch"))
        .mapToDouble(SignalValue::getValue)
        .sum();
  }

  private static double mean(EvaluationRecord record, String signal) {
    EvaluationRecord.LoggedMean mean = record.logged().get(signal);
    return mean == null ? Double.NaN : mean.mean();
  }

  @Test
  void onlyDecisionsOfTheTimeRangeAreUsed() throws IOException {
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, 300));
    EvaluationRecord record =
        evaluation("run", 2)
            .evaluate(
                request("archive")
                    .withRange(
                        Instant.ofEpochSecond(1_700_000_100), Instant.ofEpochSecond(1_700_000_250)),
                new Uniform());
    assertEquals(150, record.data().decisions());
    assertEquals(150, record.data().outOfRange());
    assertEquals(Instant.ofEpochSecond(1_700_000_100), record.data().from());
    assertEquals(Instant.ofEpochSecond(1_700_000_249), record.data().to());
  }

  /** Fails like a process that dies, until a file is there. */
  private static final class Mortal implements TargetPolicy {

    private static final long serialVersionUID = 1;

    private final String cure;

    Mortal(Path cure) {
      this.cure = cure.toString();
    }

    @Override
    public String name() {
      return "uniform";
    }

    @Override
    public List<double[]> chances(List<EvaluatedDecision> decisions) {
      boolean late = decisions.stream().anyMatch(each -> each.id().equals("decision-500"));
      if (late && !Files.exists(Path.of(cure))) {
        throw new IllegalStateException("died");
      }
      return new Uniform().chances(decisions);
    }

    @Override
    public void close() {}
  }

  @Test
  void whatWasInterruptedGoesOnAndComesToTheSame() throws IOException {
    writeInParts("archive", 3);
    EvaluationRequest request = request("archive");
    Path cure = folder.resolve("cure");
    assertThrows(IOException.class, () -> evaluation("run", 2).evaluate(request, new Mortal(cure)));
    assertFalse(lines.contains("the log was read before"));

    Files.createFile(cure);
    byte[] resumed = ReportJson.report(evaluation("run", 2).evaluate(request, new Mortal(cure)));
    assertTrue(lines.contains("the log was read before"), lines::toString);
    assertTrue(lines.contains("the reward models were fitted before"), lines::toString);
    assertArrayEquals(
        ReportJson.report(evaluation("fresh", 2).evaluate(request, new Mortal(cure))), resumed);

    lines.clear();
    evaluation("run", 2).evaluate(request.withAlpha(0.1), new Mortal(cure));
    assertTrue(lines.contains("the decisions were scored before"), lines::toString);
  }

  @Test
  void onlyTheLastFewEvaluationsAreKept() throws IOException {
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, 30));
    for (int seed = 1; seed <= 5; seed++) {
      evaluation("run", 1)
          .evaluate(request("archive").withModelSteps(0).withSeed(seed), new Uniform());
    }
    try (Stream<Path> runs = Files.list(folder.resolve("run"))) {
      assertEquals(3, runs.count());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.0, PROPENSITY_NON_POSITIVE",
    "-2.3, PROPENSITY_NON_POSITIVE",
    "1.2, PROPENSITY_ABOVE_ONE",
    "NaN, PROPENSITY_NOT_FINITE",
    "Infinity, PROPENSITY_NOT_FINITE",
    "0.123, PROPENSITY_MISMATCH"
  })
  void aPropensityThatCannotBeIsRefusedByItsCode(double propensity, String code)
      throws IOException {
    assertRefused(
        code, transition -> transition.getDecision().getSlate().get(1).setPropensity(propensity));
  }

  @Test
  void aRewardThatIsNoNumberAndAnActionThatWasNoCandidateAreRefusedByTheirCodes()
      throws IOException {
    assertRefused(
        "REWARD_NOT_FINITE", transition -> transition.getSignals().get(0).setValue(Double.NaN));
    assertRefused(
        "ACTION_NOT_IN_CANDIDATES",
        transition -> transition.getDecision().getSlate().get(0).setCandidate(17));
  }

  private void assertRefused(String code, Consumer<Transition> spoil) throws IOException {
    List<Transition> transitions = log.transitions(0, 30);
    spoil.accept(transitions.get(11));
    SyntheticLog.write(folder.resolve(code), "all", transitions);
    InvalidTrainingData refused =
        assertThrows(
            InvalidTrainingData.class,
            () -> evaluation("run", 1).evaluate(request(code), new Uniform()));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("1 " + code + ", for instance decision-11"), message);
  }

  @Test
  void aTargetThatNeedsWhatTheLogDoesNotHaveIsRefusedByName() throws Exception {
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, 30));
    Path table = folder.resolve("table.csv");
    Files.writeString(table, "item_id,pos1\nitem-0,0.2\nitem-1,0.8\n");
    TargetRefused refused =
        assertThrows(
            TargetRefused.class,
            () -> evaluation("run", 1).evaluate(request("archive"), TableTarget.read(table)));
    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("TARGET_FEATURE_MISSING: table.csv"),
        refused::toString);
    SyntheticLog wider = new SyntheticLog(3);
    assertEquals(log.surface().item(), wider.surface().item());
    VersionId other =
        new Baseline(CLOCK, "test")
            .publish(
                new SurfaceReader().read(Path.of("../examples/surfaces/short-video.yaml")), store)
            .id();
    TargetRefused missing =
        assertThrows(TargetRefused.class, () -> ScoredTarget.open(store, other, log.surface()));
    assertTrue(
        String.valueOf(missing.getMessage()).startsWith("TARGET_FEATURE_MISSING"),
        missing::toString);
  }

  @Test
  void anUnknownSegmentOrClusterIsRefusedBeforeTheLogIsRead() {
    EvaluationRequest request = request("nowhere");
    String segment =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                        evaluation("run", 1)
                            .evaluate(request.withSegments(List.of("moood")), new Uniform()))
                .getMessage());
    assertTrue(segment.contains("'moood'; it has [mood, country]"), segment);
    assertThrows(
        IllegalArgumentException.class,
        () -> evaluation("run", 1).evaluate(request.withClusterFeature("length"), new Uniform()));
  }

  private EvaluationRequest request(String archive) {
    return EvaluationRequest.of(
            log.surface(), new ArchiveSource(folder.resolve(archive), log.surface().name()))
        .withModelSteps(5)
        .withReplicates(50);
  }
}
