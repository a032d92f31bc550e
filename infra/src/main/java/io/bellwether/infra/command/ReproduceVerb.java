package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.lineage.Reproduction;
import io.bellwether.trainer.lineage.Retraining;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains a version again, and says whether every byte comes out as it was. */
@Command(
    name = "reproduce",
    description = {
      "Train a version again from its own record (data, surface, settings, seed, code), and compare"
          + " every byte. Nothing is published.",
      "Ends with 1 where something differs, and says what; with 2 where it cannot be told, because"
          + " data is gone or other code runs."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether reproduce v0123456789ab",
      "  bellwether reproduce v0123456789ab --log /backup/archive",
      "  bellwether reproduce v0123456789ab --any-code     what changed with an update?"
    })
final class ReproduceVerb implements Callable<Integer> {
  private static final DateTimeFormatter RUN =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "As policies lists it.")
  private VersionId version;

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description = "Another copy of the archive (default: the one that was read).")
  private @Nullable Path log;

  @Option(
      names = "--any-code",
      description = "Go on where other code runs than that which trained it.")
  private boolean anyCode;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Readers that feed the learner; changes the speed only (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  /** Picocli sets the version before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  ReproduceVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    if (parallelism < 1) {
      throw CommandFailed.wrongInput("--parallelism is " + parallelism + ".", "Give at least 1.");
    }
    PolicyStore versions = store.open(data.folder(), clock);
    versions.version(version);
    Path folder =
        data.folder()
            .resolve("runs")
            .resolve("reproduce-" + version + "-" + RUN.format(clock.instant()));
    Reproduction found =
        new Retraining(
                versions,
                clock,
                CodeVersion.current(),
                new Retraining.Choices(
                    folder.toAbsolutePath().normalize(),
                    log == null ? null : log.toAbsolutePath().normalize(),
                    folders(),
                    anyCode,
                    parallelism),
                terminal::progress)
            .of(version);
    return tell(found, folder);
  }

  private List<Path> folders() throws Exception {
    List<Path> folders = new ArrayList<>();
    for (SurfacesOption.Declared each : surfaces.all(data.folder(), installation)) {
      if (!folders.contains(each.folder())) {
        folders.add(each.folder());
      }
    }
    return folders;
  }

  private int tell(Reproduction found, Path folder) throws IOException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("version", version.value());
    if (found instanceof Reproduction.Impossible impossible) {
      result.put("result", "impossible");
      result.put("reason", impossible.reason());
      json.write(result);
      throw CommandFailed.wrongInput(
          version + " cannot be reproduced: " + impossible.reason() + ".", impossible.next());
    }
    if (found instanceof Reproduction.Different different) {
      result.put("result", "different");
      result.put("differences", different.differences());
      json.write(result);
      different.differences().forEach(each -> terminal.print("DIFFERS  " + each.words()));
      terminal.print(version + " does not come out again; what did is in " + folder);
      return ExitCode.NO;
    }
    Reproduction.Equal equal = (Reproduction.Equal) found;
    result.put("result", "equal");
    result.put("files", equal.files());
    result.put("decisions", equal.decisions());
    result.put("dataSha256", equal.dataSha256());
    result.put("data", equal.how());
    json.write(result);
    terminal.print(
        "%s comes out again, byte for byte: %s"
            .formatted(version, String.join(", ", equal.files())));
    terminal.print(
        "%d decisions, sha256 %s; %s"
            .formatted(equal.decisions(), equal.dataSha256(), equal.how()));
    return ExitCode.DONE;
  }
}
