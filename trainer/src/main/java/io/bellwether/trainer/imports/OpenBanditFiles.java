package io.bellwether.trainer.imports;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * The logs of a folder in the Open Bandit Dataset's layout: {@code
 * {bts,random}/{all,men,women}/{campaign}.csv}, plain or gzipped, each beside its {@code
 * item_context.csv}.
 */
final class OpenBanditFiles {

  private static final List<String> POLICIES = List.of("bts", "random");
  private static final List<String> CAMPAIGNS = List.of("all", "men", "women");

  private OpenBanditFiles() {}

  /**
   * One log.
   *
   * @param policy {@code bts} or {@code random}
   * @param campaign {@code all}, {@code men} or {@code women}
   */
  record Log(String policy, String campaign, Path rows, Path items) {

    String name() {
      return policy + "-" + campaign;
    }
  }

  /**
   * The logs of a folder, in the order of policy and campaign.
   *
   * @throws ImportRefused when there is none, or one without its items
   */
  static List<Log> in(Path folder) {
    List<Log> logs = new ArrayList<>();
    for (String policy : POLICIES) {
      for (String campaign : CAMPAIGNS) {
        Path here = folder.resolve(policy).resolve(campaign);
        Optional<Path> rows = either(here.resolve(campaign + ".csv"));
        if (rows.isPresent()) {
          Path items =
              either(here.resolve("item_context.csv"))
                  .orElseThrow(
                      () -> new ImportRefused(here + " has a log but no item_context.csv"));
          logs.add(new Log(policy, campaign, rows.get(), items));
        }
      }
    }
    if (logs.isEmpty()) {
      throw new ImportRefused(
          folder
              + " holds no log of the Open Bandit Dataset: looked for {bts,random}/{all,men,women}/"
              + "{campaign}.csv or .csv.gz in it");
    }
    return logs;
  }

  /** A reader of a file's text; whoever calls closes it. */
  static BufferedReader open(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    try {
      InputStream plain =
          file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, 1 << 16) : bytes;
      return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), 1 << 16);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  private static Optional<Path> either(Path plain) {
    if (Files.isRegularFile(plain)) {
      return Optional.of(plain);
    }
    Path zipped = plain.resolveSibling(plain.getFileName() + ".gz");
    return Files.isRegularFile(zipped) ? Optional.of(zipped) : Optional.empty();
  }
}
