package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A log that is many times as large as the heap, in columns outside it. */
class LargeLogIT {
  private static final int DECISIONS = 5_000_000;
  private static final double[] TARGET = {0.1, 0.2, 0.7};
  private static final double[] CHANCE = {0.1, 0.3, 0.4};
  private static final double TRUTH = 0.35;

  @Test
  void fiveMillionDecisionsAreEvaluatedInAHeapOf64Mebibytes()
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:MaxDirectMemorySize=1g",
                "-cp",
                placeOf(Evaluation.class) + File.pathSeparator + placeOf(Influence.class),
                Evaluation.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    List<String> lines = output.lines().toList();
    assertEquals(5, lines.size(), output);
    for (String line : lines.subList(0, 4)) {
      String[] found = line.split(" ", -1);
      double value = Double.parseDouble(found[1]);
      double error = Double.parseDouble(found[2]);
      assertTrue(error > 0 && error < 0.001, line);
      assertEquals(TRUTH, value, 4 * error, line);
    }
    assertEquals("weights 2.1 " + DECISIONS / 2, lines.get(4));
  }

  private static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** What runs in the small heap. */
  static final class Evaluation {
    private Evaluation() {}

    public static void main(String[] args) {
      LoggedDecisions log = log();
      DecisionColumns columns = log.underTarget("click", Weighting.PREFIX);
      UnitIndex units = log.units();
      for (Estimator estimator :
          List.of(new Ips(), new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust())) {
        Estimate estimate = Influence.of(estimator, columns).orElseThrow().estimate(units);
        System.out.printf(
            "%s %s %s%n",
            estimator.name(), estimate.point().orElseThrow(), estimate.error().orElseThrow());
      }
      WeightDiagnostics weights = WeightDiagnostics.of(columns, 0);
      System.out.printf(
          Locale.ROOT, "weights %.1f %d%n", weights.ninetyNinthPercentile(), units.count());
    }

    /** Three items shown alike, two decisions a subject. */
    private static LoggedDecisions log() {
      IntBuffer decision = bytes(Integer.BYTES).asIntBuffer();
      IntBuffer position = bytes(Integer.BYTES).asIntBuffer();
      LongBuffer unit = bytes(Long.BYTES).asLongBuffer();
      DoubleBuffer logging = doubles();
      DoubleBuffer target = doubles();
      DoubleBuffer reward = doubles();
      DoubleBuffer prediction = doubles();
      DoubleBuffer direct = doubles();
      SplittableRandom random = new SplittableRandom(1);
      for (int row = 0; row < DECISIONS; row++) {
        int item = random.nextInt(TARGET.length);
        decision.put(row, row);
        unit.put(row, row / 2);
        logging.put(row, 1.0 / TARGET.length);
        target.put(row, TARGET[item]);
        reward.put(row, random.nextDouble() < CHANCE[item] ? 1 : 0);
        prediction.put(row, CHANCE[item] / 2);
        direct.put(row, TRUTH / 2);
      }
      return LoggedDecisions.builder()
          .decisions(decision, position, unit)
          .logging(logging)
          .target(target)
          .signal("click", Signal.modelled(reward, prediction, direct))
          .build();
    }

    private static DoubleBuffer doubles() {
      return bytes(Double.BYTES).asDoubleBuffer();
    }

    private static ByteBuffer bytes(int each) {
      return ByteBuffer.allocateDirect(each * DECISIONS).order(ByteOrder.nativeOrder());
    }
  }
}
