package io.bellwether.infra.command;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the versions of all policies, or of one. */
@Command(
    name = "policies",
    description = "List the versions of all policies, or of one; or show more of one.",
    synopsisSubcommandLabel = "MORE",
    commandListHeading = "%nMore:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies",
      "  bellwether policies short-video --json out.json",
      "  bellwether policies show v0123456789ab",
      "  bellwether policies history short-video",
      "  bellwether policies log",
      "  bellwether policies at 2026-11-30T09:00:00Z",
      "  bellwether policies verify v0123456789ab"
    })
final class PoliciesVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "A policy; it is named as its surface.")
  private @Nullable String name;

  PoliciesVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PolicyStore versions = store.open(data.folder(), Clock.systemUTC());
    List<String> names = versions.names();
    if (name != null && !names.contains(name)) {
      throw CommandFailed.wrongInput(
          "There is no policy " + name + " in " + store.address(data.folder()) + ".",
          names.isEmpty() ? "Train one first." : "There are: " + String.join(", ", names) + ".");
    }
    List<Policy> policies =
        names.stream()
            .filter(each -> name == null || name.equals(each))
            .map(each -> Policy.of(each, versions))
            .toList();
    if (policies.isEmpty()) {
      terminal.print("No version yet in " + store.address(data.folder()) + ".");
    }
    policies.forEach(this::print);
    json.write(Map.of("policies", policies));
    return ExitCode.DONE;
  }

  private void print(Policy policy) {
    terminal.print(policy.name());
    terminal.print(
        line("#", "version", "algorithm", "state", "verdict", "created (UTC)", "trained on"));
    for (Version version : policy.versions()) {
      List<String> states = new ArrayList<>(List.of(version.state()));
      version.aliases().stream().filter(word -> !states.contains(word)).forEach(states::add);
      terminal.print(
          line(
              Long.toString(version.sequence()),
              version.id(),
              version.algorithm(),
              String.join(", ", states),
              version.verdict() == null ? "-" : version.verdict(),
              minutes(version.createdAt()),
              Long.toString(version.rows())));
    }
  }

  private static String line(
      String number,
      String version,
      String algorithm,
      String state,
      String verdict,
      String created,
      String rows) {
    return String.format(
        Locale.ROOT,
        "%4s  %-13s  %-24s  %-20s  %-19s  %-16s  %s",
        number,
        version,
        algorithm,
        state,
        verdict,
        created,
        rows);
  }

  private static String minutes(String at) {
    return Instant.parse(at)
        .truncatedTo(ChronoUnit.MINUTES)
        .toString()
        .replace('T', ' ')
        .replace(":00Z", "");
  }

  /** A policy for scripts. */
  private record Policy(String name, List<Version> versions) {
    static Policy of(String name, PolicyStore store) {
      return new Policy(
          name, store.versions(name).stream().map(version -> Version.of(version, store)).toList());
    }
  }

  /**
   * A version for scripts.
   *
   * @param verdict the latest one, absent where there is none
   * @param createdAt ISO 8601, UTC
   * @param rows decisions that it was trained on
   */
  private record Version(
      long sequence,
      String id,
      String algorithm,
      String state,
      List<String> aliases,
      @Nullable String verdict,
      String createdAt,
      long rows) {

    static Version of(PolicyVersion version, PolicyStore store) {
      PolicyManifest manifest = store.manifest(version.id());
      return new Version(
          version.sequence(),
          version.id().value(),
          manifest.algorithm(),
          store.state(version.id()).name().toLowerCase(Locale.ROOT),
          Stream.of(Alias.values())
              .filter(
                  alias ->
                      store.alias(version.name(), alias).filter(version.id()::equals).isPresent())
              .map(Alias::word)
              .toList(),
          store.verdict(version.id()).map(GateVerdict::word).orElse(null),
          manifest.createdAt().toString(),
          manifest.data().rows());
    }
  }
}
