package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.Release;
import java.io.IOException;
import java.time.Clock;
import picocli.CommandLine.Mixin;

/** What the verbs have in common that write one entry into the release log. */
final class ReleaseOptions {
  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final WhyOptions why = new WhyOptions();
  @Mixin private final JsonOption json = new JsonOption();

  /** What a verb does. */
  interface Doing {
    Release in(PolicyStore store, String who, String why);
  }

  /** Does it, and says what the log says of it. */
  int run(Clock clock, Terminal terminal, Doing doing) throws IOException, InterruptedException {
    String who = why.who();
    String reason = why.why();
    try (LiveStore live = LiveStore.open(store, data.folder(), clock, terminal)) {
      Release made = doing.in(live.store(), who, reason);
      terminal.print(ReleaseLine.of(made));
      json.write(new ObjectMapper().readTree(made.toBytes()));
    }
    return ExitCode.DONE;
  }

  /** Refuses a policy that is not there. */
  static void requireKnown(PolicyStore store, String name) {
    if (!store.names().contains(name)) {
      throw CommandFailed.wrongInput(
          "There is no policy " + name + ".",
          "`./bellwether policies` lists those that there are.");
    }
  }
}
