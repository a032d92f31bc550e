package io.bellwether.trainer.survey;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.DecisionSeed;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContestedIdsTest {

  @TempDir Path folder;

  @Test
  void allThatWereAddedAreHeldAndHardlyAnyOther() throws IOException {
    ContestedIds ids = new ContestedIds();
    assertFalse(ids.mayHold(0));
    for (int number = 0; number < 10_000; number++) {
      ids.add(DecisionSeed.seedOf("contested-" + number));
    }
    ids.write(folder.resolve("ids"));
    ContestedIds read = ContestedIds.read(folder.resolve("ids"));
    int mistaken = 0;
    for (int number = 0; number < 10_000; number++) {
      assertTrue(read.mayHold(DecisionSeed.seedOf("contested-" + number)));
      mistaken += read.mayHold(DecisionSeed.seedOf("other-" + number)) ? 1 : 0;
    }
    assertTrue(mistaken < 30, "of 10,000 others " + mistaken);
  }
}
