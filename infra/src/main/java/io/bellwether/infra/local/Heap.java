package io.bellwether.infra.local;

import java.util.List;

/**
 * Memory limits of one JVM, in MiB: immutable.
 *
 * @param heap greatest size of the heap
 * @param direct greatest size of all direct buffers
 */
public record Heap(int heap, int direct) {

  List<String> options() {
    return List.of("-Xmx" + heap + "m", "-XX:MaxDirectMemorySize=" + direct + "m");
  }
}
