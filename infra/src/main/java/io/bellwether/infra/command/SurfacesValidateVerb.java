package io.bellwether.infra.command;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Problem;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Checks surface files and names every mistake in them. */
@Command(
    name = "validate",
    description = {
      "Check surface files: every mistake with its line, its field, and what would be right.",
      "Exits 1 when a file has one."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether surfaces validate my/surfaces/shop.yaml",
      "  bellwether surfaces validate my/surfaces/*.yaml --json out.json"
    })
final class SurfacesValidateVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Surface files, YAML.")
  private List<Path> files = List.of();

  SurfacesValidateVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    for (Path file : files) {
      if (!Files.isRegularFile(file)) {
        throw CommandFailed.wrongInput("There is no file " + file + ".", "Name a surface file.");
      }
    }
    List<Checked> checked = new ArrayList<>();
    for (Path file : files) {
      checked.add(check(file));
    }
    boolean valid = checked.stream().allMatch(each -> each.problems().isEmpty());
    json.write(Map.of("valid", valid, "files", checked));
    return valid ? ExitCode.DONE : ExitCode.NO;
  }

  private Checked check(Path file) throws IOException {
    try {
      String name = new SurfaceReader().read(file).name();
      terminal.print("ok  " + file + ": surface " + name);
      return new Checked(file.toString(), name, List.of());
    } catch (InvalidSurfaceException e) {
      e.problems().forEach(problem -> terminal.print("NO  " + file + ", " + problem));
      return new Checked(file.toString(), null, e.problems());
    }
  }

  /**
   * A file for scripts.
   *
   * @param surface its name, absent where there are problems
   */
  private record Checked(String file, @Nullable String surface, List<Problem> problems) {}
}
