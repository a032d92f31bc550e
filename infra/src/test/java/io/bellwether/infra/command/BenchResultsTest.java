package io.bellwether.infra.command;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchResultsTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final JsonNode figures = new ObjectMapper().createObjectNode().put("share", 0.5);

  @Test
  void bothFilesAreWrittenAndTheFiguresOnceMoreWhereAskedFor() throws Exception {
    Path json = folder.resolve("again.json");
    assertEquals(ExitCode.DONE, write(Status.SHOWN, "--json", json.toString()));
    assertEquals("# Page\n", Files.readString(folder.resolve("some.md")));
    assertEquals("{\n  \"share\" : 0.5\n}\n", Files.readString(folder.resolve("some.json")));
    assertEquals(-1, Files.mismatch(json, folder.resolve("some.json")));
  }

  @Test
  void onlyWhatWasNotShownIsAFailure() throws Exception {
    assertEquals(ExitCode.NO, write(Status.NOT_SHOWN));
    assertEquals(ExitCode.DONE, write(Status.NOT_KNOWN));
    String lines = printed.toString(StandardCharsets.UTF_8);
    assertTrue(lines.contains("not shown, shares: 9 % (required: 10 %)"), lines);
    assertTrue(lines.contains("Tables: " + folder.resolve("some.md")), lines);
  }

  @Test
  void theWorkIsBesideTheResultsAndGoes() throws Exception {
    Path work;
    try (WorkFolder open = results().work()) {
      work = Files.createDirectories(open.path().resolve("a/b"));
      assertTrue(open.path().startsWith(folder));
    }
    assertFalse(Files.exists(requireNonNull(work.getParent()).getParent()));
  }

  private int write(Status status, String... options) {
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Measurement result =
        new Measured(7, 3, List.of(new Requirement("shares", "9 %", "10 %", status)));
    return results(options)
        .write(
            "some", result, figures, "# Page\n", new Terminal(stream, stream, Clock.systemUTC()));
  }

  private BenchResults results(String... options) {
    BenchResults results = new BenchResults();
    CommandLine line = new CommandLine(results);
    String[] all = new String[options.length + 2];
    all[0] = "--out";
    all[1] = folder.toString();
    System.arraycopy(options, 0, all, 2, options.length);
    line.parseArgs(all);
    return results;
  }

  private record Measured(long seed, double seconds, List<Requirement> requirements)
      implements Measurement {}
}
