package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.gate.Gate;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.report.EvidenceFiling;
import io.bellwether.trainer.report.HumanField;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Points an alias to a version: the champion serves. */
@Command(
    name = "promote",
    description = {
      "Point an alias to a version. The champion serves: a running system swaps it in at once,"
          + " without a pause.",
      "A version needs a verdict of pass, or your reason to do without; the reason is kept. Exits 1"
          + " when it is refused."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether promote v0123456789ab --why \"passed its gate\"",
      "  bellwether promote v0123456789ab --alias shadow --why \"try it unseen\"",
      "  bellwether promote v0123456789ab --why \"first policy\" \\",
      "      --override \"there is no log yet that it could be judged by\""
    })
final class PromoteVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final MoveOptions move = new MoveOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "As policies lists it.")
  private VersionId version;

  @Option(
      names = "--override",
      paramLabel = "REASON",
      description = "Promote without a verdict of pass, for this reason.")
  private @Nullable String override;

  /** Picocli sets the version before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PromoteVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    String why = move.why();
    String who = move.who();
    if (override != null) {
      MoveOptions.filled("--override", override);
    }
    try (LiveStore live = LiveStore.open(storeOption, data.folder(), clock, terminal)) {
      PolicyStore store = live.store();
      String name = store.version(version).name();
      Optional<AliasMove> before = store.latestMove(name, move.alias());
      OfflineEvaluation evaluation =
          new OfflineEvaluation(clock, CodeVersion.current(), terminal::progress);
      AliasMove made =
          new Gate(store, evaluation, new EvidenceFiling(store, who), who)
              .promote(version, move.alias(), why, override);
      terminal.print(
          before.filter(made::equals).isPresent()
              ? name + " " + made.alias().word() + " is " + version + " already"
              : name + " " + MoveLine.of(made));
      remind(name);
      json.write(new ObjectMapper().readTree(made.toBytes()));
    }
    return ExitCode.DONE;
  }

  /** What only people can say about a policy that answers other people should be said by now. */
  private void remind(String name) throws IOException {
    List<HumanField> missing = RewardAnswers.read(data.folder(), name).missing();
    if (move.alias().equals(Alias.CHAMPION) && !missing.isEmpty()) {
      terminal.progress(
          "Warning: its Reward Report still says TODO in %d fields; `./bellwether report reward %s` names them"
              .formatted(missing.size(), version));
    }
  }
}
