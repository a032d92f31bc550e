package io.bellwether.loadtest.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.loadtest.serving.ProcessUse.Threads;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessUseTest {

  @Test
  void threadsOfOneNameAreAddedUp() {
    Map<String, Threads> threads =
        ProcessUse.threads(
            """
            "worker-1" #45 daemon prio=5 os_prio=0 cpu=1500.50ms elapsed=12.30s allocated=12M defined_classes=1 tid=0x1 nid=0x2 runnable
               java.lang.Thread.State: RUNNABLE
            "worker-2" #46 daemon prio=5 os_prio=0 cpu=500.50ms elapsed=12.30s allocated=512K defined_classes=0 tid=0x1 nid=0x2 waiting
            "VM Thread" os_prio=0 cpu=70.25ms elapsed=12.30s tid=0x1 nid=0x2 runnable
            """);
    assertEquals(new Threads("worker", 2001, (12 << 20) + (512 << 10)), threads.get("worker"));
    assertEquals(new Threads("VM Thread", 70.25, 0), threads.get("VM Thread"));
  }

  @Test
  void theBusiestBetweenTwoLooksComeFirst() {
    Map<String, Threads> before = Map.of("a", new Threads("a", 900, 10));
    Map<String, Threads> after =
        Map.of("a", new Threads("a", 1_000, 30), "b", new Threads("b", 150, 5));
    assertEquals(
        List.of(new Threads("b", 150, 5), new Threads("a", 100, 20)),
        ProcessUse.between(before, after));
  }

  @Test
  void pausesAreReadFromTheJvmsLog() {
    List<ProcessUse.Pause> pauses =
        ProcessUse.pauses(
            """
            [1.5s][info][safepoint] Safepoint "GenCollectForAllocation", Time since last: 1000 ns, Reaching safepoint: 2000 ns, At safepoint: 3000000 ns, Total: 3002000 ns
            [1.6s][info][safepoint] something else
            """);
    assertEquals(List.of(new ProcessUse.Pause("GenCollectForAllocation", 3.002)), pauses);
  }
}
