package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Constraint;
import io.bellwether.ingestion.surface.Surface;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the surfaces that are declared. */
@Command(
    name = "list",
    description = "List the surfaces that are declared, with what each promises.",
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether surfaces list", "  bellwether surfaces list --surfaces my/surfaces"})
final class SurfacesListVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  SurfacesListVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    List<Listed> listed =
        surfaces.all(data.folder(), installation).stream().map(Listed::of).toList();
    for (Listed surface : listed) {
      terminal.print(surface.name() + "  in " + surface.folder());
      terminal.print(
          "  shows %d of at most %d candidates, maximises %s"
              .formatted(surface.slateSize(), surface.maxCandidates(), surface.objective()));
      surface.constraints().forEach(promise -> terminal.print("  promises " + promise));
    }
    if (listed.isEmpty()) {
      terminal.print("No surface is declared.");
    }
    json.write(Map.of("surfaces", listed));
    return ExitCode.DONE;
  }

  /**
   * A surface for scripts.
   *
   * @param digest SHA-256 of its file
   */
  private record Listed(
      String name,
      String folder,
      String digest,
      int slateSize,
      int maxCandidates,
      String objective,
      List<String> constraints) {

    static Listed of(SurfacesOption.Declared declared) {
      Surface surface = declared.surface();
      return new Listed(
          surface.name(),
          declared.folder().toString(),
          surface.digest(),
          surface.slateSize(),
          surface.maxCandidates(),
          surface.objective().signal(),
          surface.constraints().stream().map(Constraint::words).toList());
    }
  }
}
