package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.SyntheticLog;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionEpisodesTest {

  private final SyntheticLog log = new SyntheticLog();

  @Test
  void decisionsOfASessionFollowOneAnotherWhateverTheirOrder() {
    List<Transition> transitions = log.transitions(0, 9);
    Collections.reverse(transitions);
    Episodes episodes = episodes(transitions);
    assertArrayEquals(new int[] {0, 3, 6, 9}, episodes.first());
    assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}, episodes.decision());
    // decisions 2 and 8 end their sessions, 5 is the last that was seen
    assertArrayEquals(new boolean[] {false, true, false}, episodes.cutOff());
    assertEquals(1, episodes.cutOffs());
  }

  @Test
  void nothingBehindAMissingDecisionCounts() {
    List<Transition> transitions = log.transitions(0, 9);
    // the second decision of the first session, the first of the second
    transitions.removeAll(List.of(transitions.get(1), transitions.get(3)));
    Episodes episodes = episodes(transitions);
    assertArrayEquals(new int[] {0, 1, 4}, episodes.first());
    assertArrayEquals(new int[] {0, 4, 5, 6}, episodes.decision());
    assertEquals(1, episodes.cutOffs());
  }

  @Test
  void columnsOfHashesHaveTheSameSessions() {
    // subject 7: a session of two and one of three whose middle is missing; subject 9: one of one
    Episodes episodes =
        SessionEpisodes.of(
            LongBuffer.wrap(new long[] {11, 21, 12, 23, 31}),
            LongBuffer.wrap(new long[] {12, 22, 0, 0, 0}),
            IntBuffer.wrap(new int[] {0, 0, 1, 2, 0}),
            IntBuffer.wrap(new int[] {0, 0, 1, 1, 0}),
            LongBuffer.wrap(new long[] {7, 7, 7, 7, 9}));
    assertArrayEquals(new int[] {0, 2, 3, 4}, episodes.first());
    assertArrayEquals(new int[] {0, 2, 1, 4}, episodes.decision());
    assertArrayEquals(new boolean[] {false, true, true}, episodes.cutOff());
  }

  private Episodes episodes(List<Transition> transitions) {
    return SessionEpisodes.of(Decisions.of(transitions, log.surface()));
  }
}
