package io.bellwether.loadtest.chaos;

import io.bellwether.policy.scoring.CounterRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which faults are injected, one after the other. Immutable. */
record FaultPlan(List<Fault> faults) {

  private static final int TAG = 90;

  FaultPlan {
    faults = List.copyOf(faults);
  }

  /** So many faults in an order of chance, every kind about as often as every other. */
  static FaultPlan draw(int count, long seed) {
    List<Fault> drawn = new ArrayList<>();
    for (int round = 0; drawn.size() < count; round++) {
      List<Fault> all = new ArrayList<>(List.of(Fault.values()));
      Collections.shuffle(all, new Random(CounterRandom.hash(seed, TAG, round, 0, 0)));
      drawn.addAll(all.subList(0, Math.min(all.size(), count - drawn.size())));
    }
    return new FaultPlan(drawn);
  }
}
