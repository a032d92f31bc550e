package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.SurfaceProposal;
import io.bellwether.trainer.imports.vw.DsjsonReader;
import io.bellwether.trainer.imports.vw.VwTextReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Proposes a surface's declaration from a sample of a log. */
@Command(
    name = "propose",
    description = {
      "Write a surface's declaration from the first decisions of a VW log, as a beginning: read and"
          + " change it before anything depends on it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether surfaces propose events.json.gz --name home > surfaces/home.yaml",
      "  bellwether surfaces propose train.vw --format vw-text --name home --out home.yaml"
    })
final class SurfacesProposeVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", description = "The log, plain or gzipped.")
  private Path file = Path.of("");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "The surface's name.")
  private String name = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "dsjson",
      description = "dsjson or vw-text (default: ${DEFAULT-VALUE}).")
  private String format = "dsjson";

  @Option(
      names = "--decisions",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many are looked at (default: ${DEFAULT-VALUE}).")
  private int decisions = 10_000;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write it (default: standard output).")
  private @Nullable Path out;

  SurfacesProposeVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    SurfaceProposal proposal = new SurfaceProposal(name);
    try (LogReader reader = open()) {
      for (LogReader.Entry entry = reader.next();
          entry != null && proposal.decisions() < decisions;
          entry = reader.next()) {
        if (entry instanceof LogReader.Read read) {
          proposal.add(read.decision());
        }
      }
    }
    if (proposal.decisions() == 0) {
      throw CommandFailed.wrongInput(
          "No decision of " + file + " can be read.",
          "See that it is of the format " + format + ".");
    }
    String yaml = proposal.yaml();
    if (out == null) {
      terminal.output().print(yaml);
    } else {
      WholeFile.write(out, yaml.getBytes(UTF_8));
      terminal.print("Proposed from " + proposal.decisions() + " decisions: " + out);
    }
    return ExitCode.DONE;
  }

  private LogReader open() throws IOException {
    return switch (format) {
      case "dsjson" -> DsjsonReader.open(file, "reward");
      case "vw-text" -> VwTextReader.open(file, "reward", Instant.EPOCH, Duration.ofSeconds(1));
      default ->
          throw CommandFailed.wrongInput(
              "--format " + format + " is no format.", "Give dsjson or vw-text.");
    };
  }
}
