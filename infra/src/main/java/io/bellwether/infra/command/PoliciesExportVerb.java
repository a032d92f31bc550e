package io.bellwether.infra.command;

import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.bundle.Bundle;
import io.bellwether.trainer.bundle.OnnxMetadata;
import io.bellwether.trainer.recipe.ReadFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a version to where other stores and tools read it. */
@Command(
    name = "export",
    description = {
      "Write a version as one file for another store, as an MLflow model, or as a plain ONNX"
          + " graph.",
      "The same version with the same evidence gives the same bytes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies export v0123456789ab --bundle shop-v0123456789ab.bwp",
      "  bellwether policies export v0123456789ab --mlflow shop-model",
      "  bellwether policies export champion --surface shop --onnx shop.onnx"
    })
final class PoliciesExportVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "A version, or an alias.")
  private String word = "";

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface, where an alias is named.")
  private @Nullable String surface;

  @ArgGroup(multiplicity = "1")
  private Form form;

  /** One of them. */
  private static final class Form {
    @Option(
        names = "--bundle",
        paramLabel = "FILE",
        description =
            "All of it as one zip: manifest, files, model card, Reward Report, signatures.")
    private @Nullable Path bundle;

    @Option(
        names = "--mlflow",
        paramLabel = "DIR",
        description = "The same as a folder that MLflow opens as a model; it must be empty.")
    private @Nullable Path mlflow;

    @Option(
        names = "--onnx",
        paramLabel = "FILE",
        description = "The graph alone, with what it is in its properties.")
    private @Nullable Path onnx;
  }

  /** Picocli sets the form before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PoliciesExportVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    PolicyStore versions = store.open(data.folder(), Clock.systemUTC());
    VersionId version = new NamedPolicies(versions, surface).version(word, "VERSION");
    if (form.mlflow != null) {
      Bundle.of(versions, version).writeFolder(form.mlflow);
      terminal.print(form.mlflow.toString());
      json.write(Map.of("version", version.value(), "folder", form.mlflow.toString()));
      return ExitCode.DONE;
    }
    if (form.bundle != null) {
      ByteArrayOutputStream zip = new ByteArrayOutputStream();
      Bundle.of(versions, version).writeZip(zip);
      return file(version, form.bundle, zip.toByteArray());
    }
    if (form.onnx == null) {
      throw new IllegalStateException("picocli asks for one of the three");
    }
    byte[] graph = versions.file(version, PolicyManifest.GRAPH);
    return file(
        version, form.onnx, OnnxMetadata.describe(graph, version, versions.manifest(version)));
  }

  private int file(VersionId version, Path file, byte[] content) throws IOException {
    WholeFile.write(file, content);
    String sha256 = ReadFile.sha256(file);
    terminal.print("%s, %d bytes, sha256 %s".formatted(file, content.length, sha256));
    json.write(
        Map.of(
            "version",
            version.value(),
            "file",
            file.toString(),
            "bytes",
            content.length,
            "sha256",
            sha256));
    return ExitCode.DONE;
  }
}
