package io.bellwether.infra.command;

import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.report.KeptReports;
import io.bellwether.trainer.report.StoredReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Which report is meant: a version's or an alias's latest, an earlier one as {@code VERSION@N}, or
 * a JSON file.
 */
final class ReportChoice {
  private static final Pattern NUMBERED = Pattern.compile("(.+)@([0-9]{1,6})");

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface, where an alias is named.")
  private @Nullable String surfaceName;

  /** The data folder. */
  Path data() {
    return data.folder();
  }

  PolicyStore store() {
    return storeOption.open(data.folder(), Clock.systemUTC());
  }

  /** The version that a word names, without its number. */
  VersionId version(String word) {
    Matcher numbered = NUMBERED.matcher(word);
    return new NamedPolicies(store(), surfaceName)
        .version(numbered.matches() ? numbered.group(1) : word, "REPORT");
  }

  /** The report that a word names. */
  StoredReport report(String word) throws IOException {
    return isFile(word) ? file(Path.of(word)) : kept(word).report();
  }

  static boolean isFile(String word) {
    return word.endsWith(".json");
  }

  /** The kept report that a word names. */
  KeptReports.Kept kept(String word) {
    VersionId version = version(word);
    List<KeptReports.Kept> reports = new KeptReports(store()).of(version);
    if (reports.isEmpty()) {
      throw CommandFailed.wrongInput(
          "No report is kept with " + version + ".",
          "`./bellwether evaluate --policy " + version + "` makes one.");
    }
    Matcher numbered = NUMBERED.matcher(word);
    int number = numbered.matches() ? Integer.parseInt(numbered.group(2)) : reports.size();
    if (number < 1 || number > reports.size()) {
      throw CommandFailed.wrongInput(
          version + " has no report " + number + ".",
          "It has " + reports.size() + ", numbered from 1 in the order in which they were made.");
    }
    return reports.get(number - 1);
  }

  private static StoredReport file(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw CommandFailed.wrongInput(
          "There is no file " + file.toAbsolutePath() + ".", "Name what --json has written.");
    }
    return StoredReport.find(Files.readAllBytes(file))
        .orElseThrow(
            () ->
                CommandFailed.wrongInput(
                    file.toAbsolutePath() + " holds no evaluation report.",
                    "Name what `./bellwether evaluate --json FILE` has written."));
  }
}
