package io.bellwether.loadtest.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class RoomyHeapTest {

  private final HotSpotDiagnosticMXBean jvm =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

  @Test
  void theHeapIsAsItWasAfterwards() {
    String least = least();
    String most = most();
    jvm.setVMOption("MinHeapFreeRatio", "10");
    jvm.setVMOption("MaxHeapFreeRatio", "20");
    try (RoomyHeap roomy = RoomyHeap.open()) {
      assertEquals("40 70", least() + " " + most());
    }
    assertEquals("10 20", least() + " " + most());
    jvm.setVMOption("MaxHeapFreeRatio", most);
    jvm.setVMOption("MinHeapFreeRatio", least);
  }

  private String least() {
    return jvm.getVMOption("MinHeapFreeRatio").getValue();
  }

  private String most() {
    return jvm.getVMOption("MaxHeapFreeRatio").getValue();
  }
}
