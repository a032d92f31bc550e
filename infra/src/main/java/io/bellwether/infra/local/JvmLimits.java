package io.bellwether.infra.local;

import java.util.ArrayList;
import java.util.List;

/**
 * What one JVM may take: immutable.
 *
 * @param heap greatest size of the heap, in MiB
 * @param direct greatest size of all direct buffers, in MiB
 * @param quick without the optimising compiler: a third less work until it is ready, and slower for
 *     good; for programs that wait for others most of the time
 */
public record JvmLimits(int heap, int direct, boolean quick) {

  List<String> options() {
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + heap + "m");
    options.add("-XX:MaxDirectMemorySize=" + direct + "m");
    if (quick) {
      options.add("-XX:TieredStopAtLevel=1");
    }
    return options;
  }
}
