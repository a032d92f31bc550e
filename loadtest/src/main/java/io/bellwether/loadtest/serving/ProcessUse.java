package io.bellwether.loadtest.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a service's process uses, asked from outside: nothing is built into the service for it.
 * Thread-safe.
 */
final class ProcessUse {
  private static final Pattern THREAD =
      Pattern.compile(
          "^\"(.+?)\".* cpu=([0-9.]+)ms elapsed=\\S+ (?:allocated=([0-9]+)([BKMG]) )?.*$");
  private static final Pattern PAUSE =
      Pattern.compile("Safepoint \"([^\"]+)\",.* Total: +([0-9]+) ns");
  private static final long JCMD_SECONDS = 20;

  private final ServingUnderTest service;

  /**
   * What the threads of one name have used since they began.
   *
   * @param name without a number at its end
   */
  record Threads(String name, double cpuMillis, long allocatedBytes) {

    Threads minus(Threads earlier) {
      return new Threads(
          name, cpuMillis - earlier.cpuMillis, allocatedBytes - earlier.allocatedBytes);
    }
  }

  /** A stop of all threads. */
  record Pause(String why, double millis) {}

  ProcessUse(ServingUnderTest service) {
    this.service = service;
  }

  /** CPU seconds since the start, user and system. */
  double cpuSeconds() {
    return ProcessHandle.of(service.pid())
            .flatMap(process -> process.info().totalCpuDuration())
            .map(each -> each.toNanos())
            .orElse(0L)
        / 1e9;
  }

  /** Memory now, in bytes; empty where there is no {@code /proc}. */
  OptionalLong residentBytes() {
    try (Stream<String> lines =
        Files.lines(Path.of("/proc", Long.toString(service.pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException | UncheckedIOException ended) {
      return OptionalLong.empty();
    }
  }

  /** CPU time and allocation by threads' names; empty where the JDK's tool is not there. */
  Map<String, Threads> threads() throws IOException, InterruptedException {
    return threads(jcmd("Thread.print", "-e"));
  }

  /** The same from what the tool printed. */
  static Map<String, Threads> threads(String printed) {
    Map<String, Threads> all = new TreeMap<>();
    for (String line : printed.split("\n", -1)) {
      Matcher thread = THREAD.matcher(line);
      if (thread.matches()) {
        Threads one =
            new Threads(
                thread.group(1).replaceAll("[-_#0-9. @:]+$", ""),
                Double.parseDouble(thread.group(2)),
                thread.group(3) == null ? 0 : bytes(thread.group(3), thread.group(4)));
        all.merge(
            one.name(),
            one,
            (a, b) ->
                new Threads(
                    a.name(),
                    a.cpuMillis() + b.cpuMillis(),
                    a.allocatedBytes() + b.allocatedBytes()));
      }
    }
    return all;
  }

  /** What threads used between two looks; the busiest first. */
  static List<Threads> between(Map<String, Threads> before, Map<String, Threads> after) {
    List<Threads> used = new ArrayList<>();
    after.forEach(
        (name, now) -> {
          Threads earlier = before.get(name);
          used.add(earlier == null ? now : now.minus(earlier));
        });
    used.sort((a, b) -> Double.compare(b.cpuMillis(), a.cpuMillis()));
    return used;
  }

  /** Where the log of pauses ends now. */
  long pausesEnd() throws IOException {
    return Files.exists(service.pauses()) ? Files.size(service.pauses()) : 0;
  }

  /** The pauses that were noted from a position of the log on. */
  List<Pause> pausesSince(long position) throws IOException {
    if (!Files.exists(service.pauses())) {
      return List.of();
    }
    byte[] all = Files.readAllBytes(service.pauses());
    String text = new String(all, (int) position, (int) (all.length - position), UTF_8);
    return pauses(text);
  }

  static List<Pause> pauses(String text) {
    List<Pause> pauses = new ArrayList<>();
    for (Matcher pause = PAUSE.matcher(text); pause.find(); ) {
      pauses.add(new Pause(pause.group(1), Long.parseLong(pause.group(2)) / 1e6));
    }
    return pauses;
  }

  private String jcmd(String... command) throws IOException, InterruptedException {
    if (!Files.isExecutable(service.jcmd())) {
      return "";
    }
    List<String> line = new ArrayList<>();
    line.add(service.jcmd().toString());
    line.add(Long.toString(service.pid()));
    line.addAll(List.of(command));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(JCMD_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return text;
  }

  private static long bytes(String number, String unit) {
    int shift =
        switch (unit) {
          case "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          default -> 0;
        };
    return Long.parseLong(number) << shift;
  }
}
