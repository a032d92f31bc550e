package io.bellwether.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  @Test
  void aQuickRunHasEveryKindOfFault() {
    FaultPlan plan = FaultPlan.draw(ChaosExtent.quick().faults(), 1);
    assertEquals(20, plan.faults().size());
    assertEquals(EnumSet.allOf(Fault.class), EnumSet.copyOf(plan.faults()));
  }

  @Test
  void theSeedIsTheOrder() {
    assertEquals(FaultPlan.draw(50, 1), FaultPlan.draw(50, 1));
    assertNotEquals(FaultPlan.draw(50, 1), FaultPlan.draw(50, 2));
  }
}
