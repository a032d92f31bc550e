package io.bellwether.trainer.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.algorithm.LearnerData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnerColumnsTest {

  @Test
  void whatStandsAtEarlierPositionsIsMarkedAmongTheCandidates() {
    SyntheticLog log = new SyntheticLog(3);
    List<TrainingRow> rows = new ArrayList<>();
    new RowEncoder(log.surface(), Subjects.all())
        .encode(log.transition(1), rows::add, new Findings());
    LearnerData data = LearnerColumns.unlinked(rows);
    assertArrayEquals(new int[] {0, 6, 12, 18}, data.itemOffsets());
    boolean[] placed = new boolean[6];
    for (int position = 0; position < 3; position++) {
      assertArrayEquals(placed, Arrays.copyOfRange(data.closed(), position * 6, position * 6 + 6));
      assertFalse(placed[data.action()[position]]);
      placed[data.action()[position]] = true;
    }
  }

  @Test
  void moreThanOneLearnerHoldsIsRefusedWithTheWayOut() {
    assertEquals(7, LearnerColumns.size(7, "item"));
    InvalidTrainingData refused =
        assertThrows(InvalidTrainingData.class, () -> LearnerColumns.size(3_000_000_000L, "item"));
    assertTrue(
        String.valueOf(refused.getMessage())
            .startsWith("the data has 3000000000 item numbers, and one learner holds 2147483639"),
        refused.getMessage());
  }
}
