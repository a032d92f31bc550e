package io.bellwether.infra.command;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.Standing;
import io.bellwether.policy.version.VersionId;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows where policies stood at a time. */
@Command(
    name = "at",
    description = {
      "Show which versions the aliases pointed to at a time, and which one answered by default."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies at 2026-11-30T09:00:00Z",
      "  bellwether policies at 2026-11-30T09:00:00Z short-video --json then.json"
    })
final class PoliciesAtVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(index = "0", paramLabel = "TIME", description = "ISO 8601, UTC.")
  private Instant time = Instant.EPOCH;

  @Parameters(
      index = "1",
      paramLabel = "NAME",
      arity = "0..1",
      description = "A policy; it is named as its surface.")
  private @Nullable String name;

  PoliciesAtVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  /** For scripts. */
  private record Then(
      String name,
      Map<String, String> aliases,
      @Nullable String serving,
      @Nullable String pinned,
      boolean frozen,
      List<String> approvals) {

    static Then of(Standing standing) {
      Map<String, String> aliases = new LinkedHashMap<>();
      Stream.of(Alias.values())
          .forEach(
              alias ->
                  standing
                      .alias(alias)
                      .ifPresent(version -> aliases.put(alias.word(), version.value())));
      VersionId pinned = standing.pinned();
      return new Then(
          standing.name(),
          aliases,
          standing.serving().map(VersionId::value).orElse(null),
          pinned == null ? null : pinned.value(),
          standing.frozen(),
          standing.approvals().stream().sorted().map(Alias::word).toList());
    }
  }

  @Override
  public Integer call() {
    PolicyStore store = storeOption.forPublishing(data.folder(), Clock.systemUTC());
    if (name != null) {
      ReleaseOptions.requireKnown(store, name);
    }
    List<Then> all =
        store.names().stream()
            .filter(each -> name == null || name.equals(each))
            .map(each -> Then.of(store.releases().at(each, time)))
            .toList();
    for (Then then : all) {
      terminal.print(
          "%s  answered by %s%s%s  %s"
              .formatted(
                  then.name(),
                  then.serving() == null ? "uniform" : then.serving(),
                  then.pinned() == null ? "" : ", pinned",
                  then.frozen() ? ", frozen" : "",
                  then.aliases()));
    }
    Optional<String> defect = store.releases().defect();
    defect.ifPresent(reason -> terminal.print("NOT SO     " + reason));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("at", time.toString());
    result.put("policies", all);
    defect.ifPresent(reason -> result.put("broken", reason));
    json.write(result);
    return defect.isPresent() ? ExitCode.NO : ExitCode.DONE;
  }
}
