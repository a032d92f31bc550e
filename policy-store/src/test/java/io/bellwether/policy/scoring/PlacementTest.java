package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacementTest {

  @TempDir private Path folder;

  @Test
  void theProfileTellsWhichNodesRanWhere() {
    Placement placement = Placement.measure(PolicyGraphs.graph(SCHEMA, 1), SCHEMA, Device.CPU);
    assertEquals(Set.of("CPUExecutionProvider"), placement.byProvider().keySet());
    Placement.Ran ran = placement.byProvider().get("CPUExecutionProvider");
    assertTrue(ran != null && ran.nodes() >= 8 && ran.products() == 5, placement::toString);
    assertFalse(placement.strayedFrom(Device.CPU));
    assertTrue(placement.strayedFrom(Device.CUDA));
  }

  /** As ONNX Runtime's CUDA provider writes it, which leaves shape arithmetic on the processor. */
  @Test
  void aProductOnTheProcessorHasStrayedAndShapeArithmeticHasNot() throws Exception {
    Path profile = folder.resolve("profile.json");
    String onGpu =
        node("MatMul_1", "MatMul", "CUDAExecutionProvider")
            + ","
            + node("Shape_1", "Shape", "CPUExecutionProvider");
    Files.writeString(profile, "[" + onGpu + "]");
    Placement whole = Placement.read(profile);
    assertFalse(whole.strayedFrom(Device.CUDA));
    assertEquals(
        "CPUExecutionProvider 1 nodes (0 products), CUDAExecutionProvider 1 nodes (1 products)",
        whole.toString());
    Files.writeString(
        profile, "[" + onGpu + "," + node("MatMul_2", "MatMul", "CPUExecutionProvider") + "]");
    assertTrue(Placement.read(profile).strayedFrom(Device.CUDA));
  }

  @Test
  void aMachineWithoutTheDeviceSaysSoAndLeavesNothingOpen() {
    assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "there is a GPU");
    byte[] graph = PolicyGraphs.graph(SCHEMA, 1);
    assertTrue(Device.CPU.isBuiltIn());
    assertThrows(ScoringException.class, () -> Scorer.open(graph, SCHEMA, Device.CUDA));
    assertThrows(ScoringException.class, () -> Placement.measure(graph, SCHEMA, Device.CUDA));
  }

  private static String node(String name, String operator, String provider) {
    return """
    {"cat":"Node","name":"%s_kernel_time","dur":3,"args":{"op_name":"%s","provider":"%s"}}\
    """
        .formatted(name, operator, provider);
  }
}
