package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.evaluation.offpolicy.Episodes;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SyntheticLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionEpisodesTest {

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();

  @Test
  void decisionsOfASessionFollowOneAnotherWhateverTheirOrderInTheArchive() throws IOException {
    List<Transition> transitions = log.transitions(0, 9);
    Collections.reverse(transitions);
    Episodes episodes = episodes(transitions);
    assertArrayEquals(new int[] {0, 3, 6, 9}, episodes.first());
    assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}, episodes.decision());
    // decisions 2 and 8 end their sessions, 5 is the last that was seen
    assertEquals(1, episodes.cutOff());
  }

  @Test
  void nothingBehindAMissingDecisionCounts() throws IOException {
    List<Transition> transitions = log.transitions(0, 9);
    // the second decision of the first session, the first of the second
    transitions.removeAll(List.of(transitions.get(1), transitions.get(3)));
    Episodes episodes = episodes(transitions);
    assertArrayEquals(new int[] {0, 1, 4}, episodes.first());
    assertArrayEquals(new int[] {0, 4, 5, 6}, episodes.decision());
    assertEquals(1, episodes.cutOff());
  }

  private Episodes episodes(List<Transition> transitions) throws IOException {
    SyntheticLog.write(folder, "all", transitions);
    ArchiveSource source = new ArchiveSource(folder, log.surface().name());
    return SessionEpisodes.of(EvaluatedLog.read(source, log.surface(), Subjects.all()).decisions());
  }
}
