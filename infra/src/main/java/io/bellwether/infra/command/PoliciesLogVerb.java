package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.signature.KeyId;
import io.bellwether.policy.version.Release;
import io.bellwether.policy.version.Releases;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the release log. */
@Command(
    name = "log",
    description = {
      "Show who released what and why, over all policies or of one, oldest first.",
      "Ends with 1 where the log was altered, or nobody vouches for an entry whose word is asked"
          + " for."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies log",
      "  bellwether policies log short-video --json log.json",
      "  bellwether policies log --proposals"
    })
final class PoliciesLogVerb implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "A policy; it is named as its surface.")
  private @Nullable String name;

  @Option(names = "--proposals", description = "Only what waits for a second person.")
  private boolean proposals;

  PoliciesLogVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Releases releases = storeOption.forPublishing(data.folder(), Clock.systemUTC()).releases();
    List<Release> shown =
        (proposals ? releases.proposals() : releases.all())
            .stream().filter(each -> name == null || each.concerns(name)).toList();
    Map<Long, KeyId> signers = releases.signers();
    ObjectNode tree = JSON.createObjectNode();
    ArrayNode entries = tree.putArray("releases");
    for (Release release : shown) {
      KeyId signer = signers.get(release.sequence());
      terminal.print(ReleaseLine.of(release) + (signer == null ? "" : "  (key " + signer + ")"));
      ObjectNode entry = (ObjectNode) JSON.readTree(release.toBytes());
      entries.add(signer == null ? entry : entry.put("key", signer.value()));
    }
    if (shown.isEmpty()) {
      terminal.print(proposals ? "Nothing waits for approval." : "Nothing was released yet.");
    }
    Optional<String> defect = releases.defect();
    defect.ifPresent(reason -> terminal.print("NOT SO     " + reason));
    json.write(tree.put("broken", defect.orElse(null)));
    return defect.isPresent() ? ExitCode.NO : ExitCode.DONE;
  }
}
