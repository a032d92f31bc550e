package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.DecisionSeed;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayVerbTest {
  @TempDir Path folder;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    command = new CommandLineFixture(folder.resolve("data"));
  }

  @Test
  void decisionsThatComeOutAsLoggedAreDone() throws Exception {
    log(decision("d1", "shop", 1), decision("d2", "feed", 1));
    JsonNode result = command.resultOf(ExitCode.DONE, "replay");
    assertEquals(2, result.get("checked").intValue());
    assertEquals(2, result.get("equal").intValue());
    assertEquals(
        1,
        command.resultOf(ExitCode.DONE, "replay", "--surface", "shop").get("checked").intValue());
  }

  @Test
  void aDecisionThatDiffersIsNamedAndTheAnswerIsNo() throws Exception {
    log(decision("d1", "shop", 1), decision("d2", "shop", 0.5));
    JsonNode result = command.resultOf(ExitCode.NO, "replay");
    assertEquals(1, result.get("equal").intValue());
    assertTrue(result.at("/differences/0").textValue().startsWith("d2: position 0"));
    assertTrue(command.output().contains("DIFFERS   d2"), command.output());
  }

  private void log(Decision... decisions) throws Exception {
    try (TransitionArchiveWriter writer =
        new TransitionArchiveWriter(folder.resolve("data/archive"), "test")) {
      for (Decision decision : decisions) {
        writer.write(
            Transition.newBuilder()
                .setDecision(decision)
                .setSignals(List.of())
                .setOutcomeCount(0)
                .setSessionId(decision.getDecisionId())
                .setStep(0)
                .setNextDecisionId(null)
                .setTerminated(false)
                .setTruncated(true)
                .setJoinedAtMicros(1_700_000_100_000_000L)
                .build());
      }
    }
  }

  /** The only candidate is shown, for certain. */
  private static Decision decision(String id, String surface, double loggedPropensity) {
    ByteBuffer row = Floats.toBytes(new float[] {1}, 1);
    return Decision.newBuilder()
        .setDecisionId(id)
        .setSurface(surface)
        .setSubjectId("ann")
        .setDecidedAtMicros(1_700_000_000_000_000L)
        .setOutcomesUntilMicros(1_700_000_060_000_000L)
        .setSurfaceDigest("none")
        .setFeatureDigest("none")
        .setContext(row)
        .setHistory(row.duplicate())
        .setItems(row.duplicate())
        .setRawContext("{}")
        .setCandidateIds(List.of("only"))
        .setLogits(row.duplicate())
        .setSlate(List.of(new Placement(0, "only", loggedPropensity)))
        .setSeed(DecisionSeed.seedOf(id))
        .setTemperature(1)
        .setUniform(0.1)
        .setPolicyName(surface)
        .setPolicyVersion("none")
        .build();
  }
}
