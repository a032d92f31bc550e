package io.bellwether.infra.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Resident memory of process trees, as Linux reports it in {@code /proc/PID/status}. */
public final class ResidentMemory {

  private ResidentMemory() {}

  /** Bytes of the process and its descendants; empty if none of them can be read. */
  public static OptionalLong of(ProcessHandle root) {
    long[] known =
        Stream.concat(Stream.of(root), root.descendants())
            .map(process -> ofOne(process.pid()))
            .filter(OptionalLong::isPresent)
            .mapToLong(OptionalLong::getAsLong)
            .toArray();
    return known.length == 0 ? OptionalLong.empty() : OptionalLong.of(Arrays.stream(known).sum());
  }

  private static OptionalLong ofOne(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException | UncheckedIOException ended) {
      return OptionalLong.empty();
    }
  }
}
