package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evaluations in a process of their own, with little memory, that may be killed. */
class KilledEvaluationIT {

  private static final int FILES = 12;
  private static final int DECISIONS = 120_000;

  /** What an evaluation takes does not grow with the log. */
  private static final String HEAP = "-Xmx192m";

  private static final int KILLED = 137;

  @TempDir Path folder;

  /** Evaluates the uniform policy: archive, folder, report, file whose absence is deadly. */
  public static final class Main {

    private Main() {}

    public static void main(String[] arguments) throws IOException {
      SyntheticLog log = new SyntheticLog();
      ArchiveSource source = new ArchiveSource(Path.of(arguments[0]), log.surface().name());
      EvaluationRequest request =
          EvaluationRequest.of(log.surface(), source).withModelSteps(50).withReplicates(20);
      byte[] report =
          ReportJson.report(
              new OfflineEvaluation(
                      Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                      "test",
                      Path.of(arguments[1]),
                      2,
                      System.out::println)
                  .evaluate(request, new Deadly(arguments[3])));
      Files.write(Path.of(arguments[2]), report);
    }
  }

  /** Ends the process in the middle of scoring, as a kill does, until a file is there. */
  private static final class Deadly implements TargetPolicy {

    private static final long serialVersionUID = 1;

    private final String cure;

    Deadly(String cure) {
      this.cure = cure;
    }

    @Override
    public String name() {
      return "uniform";
    }

    @Override
    public List<double[]> chances(List<EvaluatedDecision> decisions) {
      boolean late =
          decisions.stream().anyMatch(each -> each.id().equals(SyntheticLog.id(DECISIONS / 2)));
      if (late && !Files.exists(Path.of(cure))) {
        Runtime.getRuntime().halt(KILLED);
      }
      return new OfflineEvaluationIT.Uniform().chances(decisions);
    }

    @Override
    public void close() {}
  }

  @Test
  void aKilledEvaluationOfALargeLogInASmallHeapGoesOnAndComesToTheSame() throws Exception {
    writeArchive();
    Path cure = folder.resolve("cure");
    assertEquals(KILLED, run("killed", cure), output());
    Files.createFile(cure);
    assertEquals(0, run("killed", cure), output());
    assertTrue(output().contains("the log was read before"), output());
    assertTrue(output().contains("the reward models were fitted before"), output());
    assertEquals(0, run("fresh", cure), output());
    assertEquals(
        Files.readString(folder.resolve("fresh.json")),
        Files.readString(folder.resolve("killed.json")));
    assertTrue(Files.readString(folder.resolve("fresh.json")).contains("\"uniform\""));
  }

  private void writeArchive() throws IOException {
    SyntheticLog log = new SyntheticLog();
    for (int file = 0; file < FILES; file++) {
      int from = file * DECISIONS / FILES;
      List<Transition> transitions = log.transitions(from, from + DECISIONS / FILES);
      SyntheticLog.write(folder.resolve("archive"), "file" + file, transitions);
    }
  }

  private int run(String name, Path cure) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(HEAP);
    command.add("-XX:MaxDirectMemorySize=256m");
    command.add("-Dorg.apache.avro.SERIALIZABLE_PACKAGES=io.bellwether.ingestion.event");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add(folder.resolve("archive").toString());
    command.add(folder.resolve(name).toString());
    command.add(folder.resolve(name + ".json").toString());
    command.add(cure.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }
}
