package io.bellwether.ingestion.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransitionArchiveTest {

  /** 2025-11-30T00:00:00Z. */
  private static final long MIDNIGHT = 1_764_460_800_000_000L;

  private @TempDir Path root;

  @Test
  void whatIsWrittenReadsBackEqual() throws Exception {
    Transition transition = transition("ä/1", MIDNIGHT, 0);
    write("a", transition);

    assertEquals(List.of(transition), read());
  }

  @Test
  void transitionsLieByTheDayOfTheirDecision() throws Exception {
    write("a", transition("d1", MIDNIGHT, 0), transition("d2", MIDNIGHT - 1, 0));

    Path surface = root.resolve("surface=clips");
    assertEquals(
        List.of(
            surface.resolve("day=2025-11-29/part-a-1.parquet"),
            surface.resolve("day=2025-11-30/part-a-0.parquet")),
        new TransitionArchive(root).files("clips"));
  }

  @Test
  void onlyTheHighestRevisionOfADecisionIsRead() throws Exception {
    write("a", transition("d1", MIDNIGHT, 0), transition("d2", MIDNIGHT, 0));
    write("b", transition("d1", MIDNIGHT, 2), transition("d1", MIDNIGHT, 1));

    assertEquals(
        List.of("d2 0", "d1 2"),
        read().stream().map(t -> t.getDecision().getDecisionId() + " " + t.getRevision()).toList());
  }

  @Test
  void theSameRevisionInTwoFilesIsReadOnce() throws Exception {
    write("a", transition("d1", MIDNIGHT, 1));
    write("b", transition("d1", MIDNIGHT, 1));

    assertEquals(1, read().size());
  }

  @Test
  void aFileThatIsBeingWrittenIsNotRead() throws Exception {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(root, "a")) {
      writer.write(transition("d1", MIDNIGHT, 0));
      assertEquals(List.of(), read());
    }
    assertEquals(1, read().size());
  }

  @Test
  void nothingIsReadWhereThereIsNoArchive() {
    assertFalse(new TransitionArchive(root.resolve("absent")).read("clips").hasNext());
  }

  @Test
  void anImportOverManyDaysKeepsFewFilesOpen() throws Exception {
    long day = 86_400_000_000L;
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(root, "a")) {
      for (int i = 0; i < 60; i++) {
        writer.write(transition("d" + i, MIDNIGHT + i % 20 * day, 0));
      }
      try (var hidden = Files.walk(root)) {
        assertEquals(8, hidden.filter(f -> f.getFileName().toString().startsWith(".part")).count());
      }
    }
    assertEquals(60, read().size());
  }

  private void write(String name, Transition... transitions) throws IOException {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(root, name)) {
      for (Transition transition : transitions) {
        writer.write(transition);
      }
    }
  }

  private List<Transition> read() {
    List<Transition> all = new ArrayList<>();
    try (TransitionArchive.Transitions transitions = new TransitionArchive(root).read("clips")) {
      transitions.forEachRemaining(all::add);
    }
    return all;
  }

  private static Transition transition(String id, long decidedAtMicros, int revision) {
    return Transition.newBuilder()
        .setDecision(TestEvents.decision(id, "s", decidedAtMicros))
        .setSignals(List.of(new SignalValue("like", 0, 1.0, 1)))
        .setOutcomeCount(1)
        .setSessionId(id)
        .setStep(0)
        .setTerminated(false)
        .setTruncated(true)
        .setRevision(revision)
        .setJoinedAtMicros(decidedAtMicros + 5_000_000)
        .build();
  }
}
