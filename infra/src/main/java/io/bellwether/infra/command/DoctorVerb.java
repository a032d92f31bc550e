package io.bellwether.infra.command;

import ai.onnxruntime.OrtEnvironment;
import com.sun.management.OperatingSystemMXBean;
import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.RunningSystem;
import io.bellwether.infra.platform.KeptPorts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks whether this machine can run Bellwether, and says what to change where it cannot. */
@Command(
    name = "doctor",
    description = {
      "Check whether this machine can run Bellwether.",
      "Exits 1 when something must be changed first."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether doctor", "  bellwether doctor --data /srv/bellwether --json out.json"})
final class DoctorVerb implements Callable<Integer> {
  private static final int OLDEST_JAVA = 17;

  /** All processes together, with some space for what else runs. */
  private static final long MEMORY = 5L << 30;

  /** A week of a small product's decisions, twice: in Kafka and in the archive. */
  private static final long DISK = 5L << 30;

  private final Installation installation;
  private final Terminal terminal;
  @Mixin private final DataOption data = new DataOption();
  @Mixin private final JsonOption json = new JsonOption();

  DoctorVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<Finding> findings =
        List.of(java(), cores(), memory(), folder(), disk(), port(), onnxRuntime(), built());
    findings.forEach(finding -> terminal.print(finding.line()));
    boolean healthy = findings.stream().noneMatch(Finding::mustChange);
    json.write(Map.of("healthy", healthy, "findings", findings));
    terminal.print(
        healthy ? "This machine can run Bellwether." : "Change what is marked NO, then try again.");
    return healthy ? ExitCode.DONE : ExitCode.NO;
  }

  private static Finding java() {
    int version = Runtime.version().feature();
    return Finding.must(
        version >= OLDEST_JAVA,
        "java",
        Runtime.version() + " in " + System.getProperty("java.home"),
        "Install a JDK of at least 17 and point JAVA_HOME to it.");
  }

  private static Finding cores() {
    int cores = Runtime.getRuntime().availableProcessors();
    return Finding.should(
        cores >= 2, "processors", Integer.toString(cores), "Two are enough; with one it is slow.");
  }

  private static Finding memory() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      long total = system.getTotalMemorySize();
      return Finding.should(
          total >= MEMORY, "memory", gibibytes(total), "All processes together take up to 4 GiB.");
    }
    return Finding.should(false, "memory", "unknown", "All processes together take up to 4 GiB.");
  }

  private Finding folder() {
    Path folder = data.folder();
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "doctor", ".tmp"));
      return Finding.must(true, "data folder", folder.toString(), "");
    } catch (IOException e) {
      return Finding.must(
          false, "data folder", e.toString(), "Make it writable, or use another with --data.");
    }
  }

  private Finding disk() {
    try {
      long free = Files.getFileStore(existing(data.folder())).getUsableSpace();
      return Finding.should(
          free >= DISK, "free disk", gibibytes(free), "Free some space, or use another disk.");
    } catch (IOException e) {
      return Finding.should(false, "free disk", e.toString(), "Use another folder with --data.");
    }
  }

  private Finding port() {
    try {
      var running = RunningSystem.on(data.folder());
      if (running.isPresent()) {
        return Finding.should(true, "port", "in use by " + running.get().url(), "");
      }
    } catch (IOException e) {
      return Finding.should(false, "port", e.toString(), "Remove running.json if nothing runs.");
    }
    boolean free = KeptPorts.free(8080);
    return Finding.should(
        free, "port", free ? "8080 is free" : "8080 is taken", "Another one will be chosen.");
  }

  private static Finding onnxRuntime() {
    try {
      String version = OrtEnvironment.getEnvironment().getVersion();
      return Finding.must(true, "onnx runtime", version, "");
    } catch (LinkageError | RuntimeException e) {
      return Finding.must(
          false,
          "onnx runtime",
          e.toString(),
          "It needs Linux with glibc, macOS or Windows, on x86-64 or ARM64.");
    }
  }

  private Finding built() {
    Path jar = installation.servingJar();
    return Finding.must(
        Files.exists(jar), "serving", jar.toString(), "Start ./bellwether: it builds serving.");
  }

  private static Path existing(Path folder) {
    Path existing = folder;
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    return existing;
  }

  private static String gibibytes(long bytes) {
    return String.format("%.1f GiB", bytes / (double) (1L << 30));
  }
}
