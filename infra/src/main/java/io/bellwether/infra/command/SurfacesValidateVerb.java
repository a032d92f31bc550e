package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.Declarations;
import io.bellwether.ingestion.evolution.SurfaceChange;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Problem;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks surface files and names every mistake in them. */
@Command(
    name = "validate",
    description = {
      "Check surface files: every mistake with its line, its field, and what would be right.",
      "With --against also what a change means for decisions that were logged before.",
      "Exits 1 when a file has a mistake, or a change that logged decisions cannot follow."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether surfaces validate my/surfaces/shop.yaml",
      "  bellwether surfaces validate my/surfaces/*.yaml --json out.json",
      "  bellwether surfaces validate my/surfaces/shop.yaml --against data/archive"
    })
final class SurfacesValidateVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Surface files, YAML.")
  private List<Path> files = List.of();

  @Option(
      names = "--against",
      paramLabel = "PATH",
      description =
          "The declaration in force before: a surface file, or an archive, which keeps it.")
  private @Nullable Path against;

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
    boolean valid = checked.stream().allMatch(Checked::valid);
    json.write(Map.of("valid", valid, "files", checked));
    return valid ? ExitCode.DONE : ExitCode.NO;
  }

  private Checked check(Path file) throws IOException {
    try {
      Surface surface = new SurfaceReader().read(file);
      List<SurfaceChange> changes = changes(surface);
      boolean valid = SurfaceChange.areCompatible(changes);
      terminal.print((valid ? "ok  " : "NO  ") + file + ": surface " + surface.name());
      if (against != null
          && Files.isDirectory(against)
          && new Declarations(against).current(surface.name()).isEmpty()) {
        terminal.print("    " + against + " keeps no earlier declaration of " + surface.name());
      }
      for (SurfaceChange change : changes) {
        terminal.print((change.compatible() ? "    " : "NO  ") + change.words());
      }
      return new Checked(file.toString(), surface.name(), List.of(), changes);
    } catch (InvalidSurfaceException e) {
      e.problems().forEach(problem -> terminal.print("NO  " + file + ", " + problem));
      return new Checked(file.toString(), null, e.problems(), List.of());
    }
  }

  /** What has changed since the declaration that was in force before; empty where there is none. */
  private List<SurfaceChange> changes(Surface surface) throws IOException {
    if (against == null) {
      return List.of();
    }
    if (Files.isDirectory(against)) {
      return new Declarations(against).changes(surface);
    }
    try {
      return SurfaceChange.between(new SurfaceReader().read(against), surface);
    } catch (NoSuchFileException e) {
      throw CommandFailed.wrongInput(
          "There is no file or archive " + against + ".", "Name what was in force before.");
    } catch (InvalidSurfaceException e) {
      throw CommandFailed.wrongInput(
          "The declaration before has mistakes itself: " + e.getMessage(), "Name a valid one.");
    }
  }

  /**
   * A file for scripts.
   *
   * @param surface its name, absent where there are problems
   * @param changes since the declaration before
   */
  private record Checked(
      String file, @Nullable String surface, List<Problem> problems, List<SurfaceChange> changes) {

    boolean valid() {
      return problems.isEmpty() && SurfaceChange.areCompatible(changes);
    }
  }
}
