package io.bellwether.loadtest.evaluation.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory that this process has held at once, mapped files included. */
final class ResidentMemory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private ResidentMemory() {}

  /** In GiB; 0 where the system does not tell. */
  static double peakGib() throws IOException {
    if (!Files.isReadable(STATUS)) {
      return 0;
    }
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / (1 << 20))
        .findFirst()
        .orElse(0);
  }
}
