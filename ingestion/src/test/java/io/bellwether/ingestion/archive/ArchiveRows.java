package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Transitions and small archives for tests. */
final class ArchiveRows {

  /** 2025-11-30T00:00:00Z. */
  static final long MIDNIGHT = 1_764_460_800_000_000L;

  private ArchiveRows() {}

  /** Of surface clips, on 2025-11-30. */
  static Transition row(String id, String subject, int second, int revision) {
    long decidedAtMicros = MIDNIGHT + second * 1_000_000L;
    return Transition.newBuilder()
        .setDecision(TestEvents.decision(id, subject, decidedAtMicros))
        .setSignals(List.of(new SignalValue("like", 0, revision + 1.0, revision + 1)))
        .setOutcomeCount(revision + 1)
        .setSessionId(id)
        .setStep(0)
        .setTerminated(false)
        .setTruncated(true)
        .setRevision(revision)
        .setJoinedAtMicros(decidedAtMicros + 5_000_000 + revision)
        .build();
  }

  static void write(Path root, String name, List<Transition> rows) throws IOException {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(root, name)) {
      for (Transition row : rows) {
        writer.write(row);
      }
    }
  }

  static List<Transition> read(Path root) {
    List<Transition> all = new ArrayList<>();
    try (TransitionArchive.Transitions rows = new TransitionArchive(root).read("clips")) {
      rows.forEachRemaining(all::add);
    }
    return all;
  }

  /** What is read, in the order and form of a compacted file. */
  static List<Transition> normal(Path root) {
    return NormalForm.of(read(root));
  }

  static Path day(Path root) {
    return root.resolve("surface=clips/day=2025-11-30");
  }
}
