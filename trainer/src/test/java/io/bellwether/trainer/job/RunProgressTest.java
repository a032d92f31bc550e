package io.bellwether.trainer.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunProgressTest {

  private static final RunProgress HALFWAY =
      new RunProgress(
          "training",
          1000,
          50,
          100,
          25.6,
          12,
          new TreeMap<>(
              Map.of("actor.loss", 1.25, "multiplier.like", 0.5, "actor.gradientNorm", 2.0)));

  @TempDir Path folder;

  @Test
  void aLineNamesStepsTimeLossesAndMultipliers() {
    assertEquals(
        "training: step 50 of 100, epoch 25.6, 12 s left, actor.loss 1.250, multiplier.like 0.5000",
        HALFWAY.words());
    assertEquals("reading transitions", RunProgress.start().words());
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    RunFolder run = new RunFolder(folder.resolve("run"));
    run.prepare();
    assertEquals(RunProgress.start(), run.progress());
    run.write(HALFWAY);
    assertEquals(HALFWAY, run.progress());
    run.write(new LearnerOutcome.Refused(TrainingFailed.Kind.DIVERGED, "at step 3"));
    assertEquals(
        new LearnerOutcome.Refused(TrainingFailed.Kind.DIVERGED, "at step 3"), run.outcome());
    run.prepare();
    assertEquals(RunProgress.start(), run.progress());
  }
}
