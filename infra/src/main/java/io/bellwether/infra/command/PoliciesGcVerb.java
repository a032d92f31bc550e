package io.bellwether.infra.command;

import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.object.Garbage;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Collects what nothing in a policy store refers to. */
@Command(
    name = "gc",
    description = {
      "Take away objects that no version, evidence or release refers to, such as those of a"
          + " publication that was cut off. Safe while others publish.",
      "An object goes to the trash first, and for good a grace period later: run it regularly."
          + " Ends with 1 where something is missing that a version consists of."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies gc --dry-run",
      "  bellwether policies gc --store s3://models/bellwether?region=eu-central-1"
    })
final class PoliciesGcVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Option(
      names = "--grace-hours",
      paramLabel = "N",
      defaultValue = "24",
      description =
          "What is younger stays, and what is in the trash stays as long; longer than any"
              + " publication takes (default: ${DEFAULT-VALUE}).")
  private int graceHours;

  PoliciesGcVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    if (graceHours < 1) {
      throw CommandFailed.wrongInput(
          "--grace-hours is " + graceHours + ".", "Give at least 1: a publication needs its time.");
    }
    Garbage garbage = new Garbage(store.depot(data.folder()), clock, Duration.ofHours(graceHours));
    Garbage.Collected collected;
    try {
      collected = dryRun ? garbage.look() : garbage.collect();
    } catch (CorruptObjectException e) {
      throw CommandFailed.refused(
          "Nothing was collected: " + e.getMessage() + ".",
          "`./bellwether policies verify VERSION` says of which version; publish it again.");
    }
    terminal.print("kept      %d objects".formatted(collected.references().size()));
    print("young", collected.young());
    print(dryRun ? "to trash" : "trashed", collected.trashed());
    print(dryRun ? "to mend" : "restored", collected.restored());
    print(dryRun ? "to remove" : "removed", collected.removed());
    terminal.print("%-9s %d bytes".formatted(dryRun ? "to free" : "freed", collected.freedBytes()));
    print("MISSING", collected.missing());
    json.write(
        Map.of(
            "dryRun",
            dryRun,
            "references",
            collected.references(),
            "young",
            sorted(collected.young()),
            "trashed",
            sorted(collected.trashed()),
            "restored",
            sorted(collected.restored()),
            "removed",
            sorted(collected.removed()),
            "freedBytes",
            collected.freedBytes(),
            "missing",
            sorted(collected.missing())));
    return collected.missing().isEmpty() ? ExitCode.DONE : ExitCode.NO;
  }

  private void print(String word, Set<String> objects) {
    sorted(objects).forEach(object -> terminal.print("%-9s %s".formatted(word, object)));
  }

  private static List<String> sorted(Set<String> objects) {
    return objects.stream().sorted().toList();
  }
}
