package io.bellwether.trainer.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.archive.ArchiveCompaction;
import io.bellwether.ingestion.archive.Declarations;
import io.bellwether.ingestion.attribution.Relabel;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RereadTest {

  private static final String CHANGED =
      """
      surface: synthetic
      slate: { size: 2, candidates: { max: 10 } }
      context:
        - { name: country, type: category, values: [fr, de, it] }
        - { name: mood, type: number, min: -10, max: 10 }
        - { name: member, type: flag }
      history: { signals: [watch], last: 1 }
      item:
        - { name: length, type: number }
        - { name: topic, type: vector, size: 2 }
      signals:
        - { name: like, type: flag, window: 1m }
        - { name: watch, type: number, min: 0, max: 100, window: 30s, aggregate: max }
      objective: { maximize: like }
      sessions: { gap: 10m }
      """;

  /** Of decision 0 of the synthetic log. */
  private static final long DECIDED = 1_700_000_000_000_000L;

  private @TempDir Path root;
  private final SyntheticLog log = new SyntheticLog();

  @Test
  void whatWasLoggedUnderAnEarlierDeclarationIsTrainable() throws Exception {
    Surface present = surface(CHANGED);
    SyntheticLog.write(root, "a", List.of(watched(0), watched(1)));
    assertEquals(Map.of(Finding.OTHER_FEATURES, 2L), findings(present, null));

    new Declarations(root).keep(SyntheticLog.yaml().getBytes(UTF_8));

    assertEquals(Map.of(), findings(present, null));
    TrainingRow row = rows(present, null).get(0);
    // de is 2 now and was 1; mood, whether it is given; member is missing
    float mood = Floats.of(watched(0).getDecision().getContext())[0];
    assertEquals(List.of(2f, mood, 1f, 0f), boxed(row.context()));
    assertEquals(List.of("like", "watch"), SignalOrder.of(present));
    // 4 after 10 s and 7 after 20 s in the shorter window; 9 after 40 s no longer
    assertEquals(7, row.rewards()[1]);
  }

  @Test
  void underTheSameDeclarationEverythingStays() throws Exception {
    SyntheticLog.write(root, "a", List.of(watched(0), log.transition(1)));
    new Declarations(root).keep(SyntheticLog.yaml().getBytes(UTF_8));
    Reread reread = Reread.of(log.surface(), source(), null);

    assertEquals(watched(0), reread.read(watched(0)).orElseThrow());
    assertEquals(log.transition(1), reread.read(log.transition(1)).orElseThrow());
  }

  @Test
  void asOfATimeWhatWasReceivedLaterIsNotKnown() throws Exception {
    Surface surface = log.surface();
    SyntheticLog.write(root, "a", List.of(watched(0)));
    Transition restated = watched(0);
    restated.setRevision(1);
    restated.getOutcomes().add(outcome("late", 5, 50, Duration.ofDays(1)));
    SyntheticLog.write(root, "b", List.of(Relabel.under(surface).relabel(restated)));
    Instant closed = at(Duration.ofMinutes(12));

    for (int compacted = 0; compacted < 2; compacted++) {
      assertEquals(List.of("watch", "like"), SignalOrder.of(surface));
      assertEquals(25, rows(surface, null).get(0).rewards()[0]);
      assertEquals(20, rows(surface, closed).get(0).rewards()[0]);
      assertEquals(List.of(), rows(surface, at(Duration.ofMinutes(5))));
      compact();
    }
    assertEquals(Map.of(Finding.NOT_YET_KNOWN, 1L), findings(surface, at(Duration.ofMinutes(5))));
  }

  @Test
  void compactionLeavesTheDigestOfTheDataAsItIs() throws Exception {
    List<Transition> first = log.transitions(0, 12);
    Transition restated = log.transition(3);
    restated.setRevision(2);
    restated.setSignals(List.of());
    SyntheticLog.write(root, "a", first);
    SyntheticLog.write(root, "b", List.of(restated));
    String before = summary().digest();

    compact();

    assertEquals(before, summary().digest());
    assertEquals(12, summary().decisions());
  }

  @Test
  void itTravels() throws Exception {
    new Declarations(root).keep(SyntheticLog.yaml().getBytes(UTF_8));
    SyntheticLog.write(root, "a", List.of(watched(0)));
    Reread reread = Reread.of(surface(CHANGED), source(), at(Duration.ofDays(1)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new RereadPart(source().parts().get(0), reread));
    }
    List<Transition> read = new ArrayList<>();
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      ((TransitionPart) in.readObject()).forEach(read::add);
    }

    assertEquals(List.of(reread.read(watched(0)).orElseThrow()), read);
  }

  /** Decision of this number, of which 20 was watched of its first item in three parts. */
  private Transition watched(int number) {
    Transition transition = log.transition(number);
    transition.setOutcomes(
        new ArrayList<>(
            List.of(
                outcome("a" + number, 4, 10, Duration.ZERO),
                outcome("b" + number, 7, 20, Duration.ZERO),
                outcome("c" + number, 9, 40, Duration.ZERO))));
    transition.getOutcomes().forEach(each -> shift(each, number));
    return Relabel.under(log.surface()).relabel(transition);
  }

  private static void shift(Observation outcome, int number) {
    outcome.setOccurredAtMicros(outcome.getOccurredAtMicros() + number * 1_000_000L);
    outcome.setReceivedAtMicros(outcome.getReceivedAtMicros() + number * 1_000_000L);
  }

  private static Observation outcome(String id, double value, int second, Duration late) {
    long occurred = DECIDED + second * 1_000_000L;
    return new Observation(id, "watch", 0, value, occurred, occurred + late.toNanos() / 1000);
  }

  private static Instant at(Duration later) {
    return Instant.ofEpochSecond(DECIDED / 1_000_000).plus(later);
  }

  private ArchiveSource source() {
    return new ArchiveSource(root, "synthetic");
  }

  private void compact() throws IOException {
    new ArchiveCompaction(root, Duration.ZERO, Clock.systemUTC()).compact(List.of(), 1, each -> {});
  }

  private DataSummary summary() throws IOException {
    DataSet data = new DataSet();
    encode(log.surface(), null, data);
    return data.link().summary();
  }

  private Map<Finding, Long> findings(Surface surface, @Nullable Instant asOf) throws IOException {
    return encode(surface, asOf, new DataSet()).counts();
  }

  private Findings encode(Surface surface, @Nullable Instant asOf, DataSet data)
      throws IOException {
    RowEncoder encoder =
        new RowEncoder(surface, Subjects.all()).reading(Reread.of(surface, source(), asOf));
    Findings findings = new Findings();
    for (TransitionPart part : source().parts()) {
      part.forEach(transition -> encoder.encode(transition, data::add, findings));
    }
    data.add(findings);
    return findings;
  }

  private List<TrainingRow> rows(Surface surface, @Nullable Instant asOf) throws IOException {
    RowEncoder encoder =
        new RowEncoder(surface, Subjects.all()).reading(Reread.of(surface, source(), asOf));
    List<TrainingRow> rows = new ArrayList<>();
    source().forEach(each -> encoder.encode(each, rows::add, new Findings()));
    return rows;
  }

  private static List<Float> boxed(float[] values) {
    List<Float> list = new ArrayList<>();
    for (float value : values) {
      list.add(value);
    }
    return list;
  }

  private static Surface surface(String yaml) throws Exception {
    return new SurfaceReader().parse("changed.yaml", yaml.getBytes(UTF_8));
  }
}
