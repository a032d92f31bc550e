package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.VersionId;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows where a version comes from, and what was found out about it. */
@Command(
    name = "show",
    description = "Show where a version comes from, and what was found out about it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies show v0123456789ab",
      "  bellwether policies show v0123456789ab --json version.json"
    })
final class PoliciesShowVerb implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "As policies lists it.")
  private VersionId id;

  /** Picocli sets the version before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PoliciesShowVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    PolicyStore store = storeOption.open(data.folder(), Clock.systemUTC());
    PolicyVersion version = store.version(id);
    PolicyManifest manifest = store.manifest(id);
    String state = store.state(id).name().toLowerCase(Locale.ROOT);
    terminal.print("version    " + id + ", number " + version.sequence() + " of " + version.name());
    terminal.print("state      " + state);
    print(manifest);
    List<Evidence> evidence = store.evidence(id);
    terminal.print(evidence.isEmpty() ? "evidence   none" : "evidence");
    for (Evidence each : evidence) {
      terminal.print("  " + line(each, store));
    }
    json.write(tree(version, state, manifest, evidence));
    return ExitCode.DONE;
  }

  private void print(PolicyManifest manifest) {
    terminal.print("algorithm  " + manifest.algorithm() + ", seed " + manifest.seed());
    terminal.print(
        "created    %s by %s, code %s"
            .formatted(manifest.createdAt(), manifest.createdBy(), manifest.codeVersion()));
    terminal.print("parent     " + (manifest.parent() == null ? "none" : manifest.parent()));
    terminal.print("data       " + manifest.data().source());
    if (manifest.data().rows() > 0) {
      terminal.print(
          "           %d decisions, %s to %s"
              .formatted(manifest.data().rows(), manifest.data().from(), manifest.data().to()));
    }
    terminal.print("surface    sha256 " + manifest.surfaceDigest());
    terminal.print("features   sha256 " + manifest.features().digest());
    manifest
        .files()
        .forEach(
            file ->
                terminal.print(
                    "file       " + file.path() + ", " + file.size() + " bytes, " + file.sha256()));
    manifest
        .metrics()
        .forEach((metric, value) -> terminal.print("metric     " + metric + " " + value));
  }

  private static String line(Evidence evidence, PolicyStore store) throws IOException {
    String line =
        "%d  %s  %-8s  by %s"
            .formatted(evidence.sequence(), evidence.at(), kind(evidence.kind()), evidence.who());
    GateVerdict verdict = evidence.verdict();
    if (verdict != null) {
      return line + ": " + verdict.word();
    }
    if (evidence.kind() == EvidenceKind.OVERRIDE) {
      return line + ": " + JSON.readTree(store.content(evidence)).path("reason").asText();
    }
    return line + ", object " + evidence.content().sha256();
  }

  private static ObjectNode tree(
      PolicyVersion version, String state, PolicyManifest manifest, List<Evidence> evidence)
      throws IOException {
    ObjectNode tree = JSON.createObjectNode();
    tree.put("id", version.id().value()).put("sequence", version.sequence()).put("state", state);
    tree.set("manifest", JSON.readTree(manifest.canonicalBytes()));
    ArrayNode list = tree.putArray("evidence");
    for (Evidence each : evidence) {
      GateVerdict verdict = each.verdict();
      list.addObject()
          .put("sequence", each.sequence())
          .put("kind", kind(each.kind()))
          .put("verdict", verdict == null ? null : verdict.word())
          .put("who", each.who())
          .put("at", each.at().toString())
          .put("sha256", each.content().sha256());
    }
    return tree;
  }

  private static String kind(EvidenceKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
