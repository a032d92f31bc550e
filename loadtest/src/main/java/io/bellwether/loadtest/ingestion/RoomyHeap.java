package io.bellwether.loadtest.ingestion;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Lets this JVM keep as much of its heap free as a JVM does that was told nothing, until closed.
 * The launcher gives memory back at once, for which a job that holds much state would pay with a
 * whole collection every few seconds; the platform's own job is not started like that. How large
 * the heap may be stays. For one at a time.
 */
final class RoomyHeap implements AutoCloseable {

  private static final String LEAST = "MinHeapFreeRatio";
  private static final String MOST = "MaxHeapFreeRatio";
  private static final String USUAL_LEAST = "40";
  private static final String USUAL_MOST = "70";

  private final HotSpotDiagnosticMXBean jvm;
  private final String least;
  private final String most;

  private RoomyHeap(HotSpotDiagnosticMXBean jvm) {
    this.jvm = jvm;
    this.least = jvm.getVMOption(LEAST).getValue();
    this.most = jvm.getVMOption(MOST).getValue();
  }

  static RoomyHeap open() {
    RoomyHeap heap =
        new RoomyHeap(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class));
    heap.keepFree(USUAL_LEAST, USUAL_MOST);
    return heap;
  }

  /** Goes through 0 and 100, since the least may at no time be above the most. */
  private void keepFree(String leastPercent, String mostPercent) {
    jvm.setVMOption(LEAST, "0");
    jvm.setVMOption(MOST, "100");
    jvm.setVMOption(LEAST, leastPercent);
    jvm.setVMOption(MOST, mostPercent);
  }

  @Override
  public void close() {
    keepFree(least, most);
  }
}
