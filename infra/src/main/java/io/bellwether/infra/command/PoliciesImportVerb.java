package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.trainer.bundle.Bundle;
import io.bellwether.trainer.bundle.BundleImport;
import io.bellwether.trainer.recipe.SurfaceText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a version from elsewhere into the store. */
@Command(
    name = "import",
    description = {
      "Take in what export wrote (bundle or MLflow model, under the version's own id), or an ONNX"
          + " graph or MLflow model of somebody else, as a new version of a surface.",
      "Everything is checked first: each byte against the manifest, the graph against its features."
          + " Verdicts are not taken over: evaluate it here."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies import shop-v0123456789ab.bwp",
      "  bellwether policies import shop-model",
      "  bellwether policies import theirs.onnx --surface shop"
    })
final class PoliciesImportVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "PLACE", description = "A bundle, an MLflow model's folder, or a graph.")
  private Path place;

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface that a graph is for, where it comes without a manifest.")
  private @Nullable String surfaceName;

  @Option(names = "--who", paramLabel = "NAME", description = "Who imports (default: you).")
  private String who = System.getProperty("user.name", "unknown");

  /** Picocli sets the place before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PoliciesImportVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    if (!Files.exists(place)) {
      throw CommandFailed.wrongInput("There is nothing at " + place + ".", "Name what to import.");
    }
    PolicyStore versions = store.forPublishing(data.folder(), clock);
    BundleImport imports = new BundleImport(versions, clock, who);
    PolicyVersion version = version(imports);
    terminal.print(version.id().value());
    json.write(
        Map.of(
            "version",
            version.id().value(),
            "policy",
            version.name(),
            "sequence",
            version.sequence()));
    return ExitCode.DONE;
  }

  private PolicyVersion version(BundleImport imports) throws Exception {
    if (!Files.isDirectory(place) && place.toString().endsWith(".onnx")) {
      return graph(imports, Files.readAllBytes(place));
    }
    Bundle bundle = Bundle.read(place);
    if (!BundleImport.isWhole(bundle)) {
      byte[] graph =
          bundle
              .find(PolicyManifest.GRAPH)
              .orElseThrow(
                  () ->
                      CommandFailed.wrongInput(
                          "%s has neither %s nor %s."
                              .formatted(place, Bundle.MANIFEST, PolicyManifest.GRAPH),
                          "Name a bundle, an MLflow model of the flavour onnx, or a graph."));
      return graph(imports, graph);
    }
    PolicyVersion version = imports.bundle(bundle);
    if (surfaceName != null && !surfaceName.equals(version.name())) {
      terminal.progress("It is one of " + version.name() + ", whatever --surface says");
    }
    return version;
  }

  private PolicyVersion graph(BundleImport imports, byte[] graph) throws Exception {
    if (surfaceName == null) {
      throw CommandFailed.wrongInput(
          "A graph alone does not say of which surface it is.", "Name it with --surface.");
    }
    Surface surface = surfaces.named(surfaceName, data.folder(), installation);
    Optional<byte[]> declaration = Optional.empty();
    for (SurfacesOption.Declared each : surfaces.all(data.folder(), installation)) {
      if (declaration.isEmpty()) {
        declaration = SurfaceText.find(each.folder(), surface.digest());
      }
    }
    return imports.graph(graph, surface, declaration, place.toString());
  }
}
