package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.bundle.ModelCard;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a version's model card, and keeps it with the version. */
@Command(
    name = "card",
    description = {
      "Print a version's model card as of now, and keep it with the version as evidence.",
      "What only people know stands in the Reward Report: `./bellwether report reward`."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies card v0123456789ab",
      "  bellwether policies card champion --surface short-video --out MODEL_CARD.md"
    })
final class PoliciesCardVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();

  @Parameters(paramLabel = "VERSION", description = "A version, or an alias.")
  private String word = "";

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface, where an alias is named.")
  private @Nullable String surface;

  @Option(names = "--out", paramLabel = "FILE", description = "Write it there instead of printing.")
  private @Nullable Path out;

  @Option(names = "--who", paramLabel = "NAME", description = "Who keeps it (default: you).")
  private String who = System.getProperty("user.name", "unknown");

  PoliciesCardVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    PolicyStore versions = store.forPublishing(data.folder(), clock);
    VersionId version = new NamedPolicies(versions, surface).version(word, "VERSION");
    ModelCard card = new ModelCard(versions);
    boolean kept = card.keep(version, who);
    if (out == null) {
      terminal.print(new String(card.of(version), UTF_8).stripTrailing());
    } else {
      WholeFile.write(out, card.of(version));
      terminal.print(out.toString());
    }
    terminal.progress(kept ? "Kept with " + version : "Nothing is new since the one that is kept");
    return ExitCode.DONE;
  }
}
