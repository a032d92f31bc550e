package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.ArchiveCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads all of an archive and compares it with its manifests. */
@Command(
    name = "verify",
    description = {
      "Check every byte of the archive against its manifests.",
      "Exits 1 when a file was altered, is missing or cannot be read."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether archive verify", "  bellwether archive verify --record"})
final class ArchiveVerifyVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ArchiveOption archive = new ArchiveOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--record",
      description =
          "Also list files that no manifest lists yet, so that a later change of them is found, and"
              + " make damaged manifests again.")
  private boolean record;

  ArchiveVerifyVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Path root = archive.root();
    List<String> surfaces = archive.surfaces(root);
    ArchiveCheck check = new ArchiveCheck(root);
    ArchiveCheck.Result found = check.check(surfaces);
    for (ArchiveCheck.Problem problem : found.problems()) {
      terminal.print("NO  " + problem.file() + " " + problem.what());
    }
    int written = record ? check.record(surfaces) : 0;
    boolean whole = found.problems().isEmpty();
    if (whole) {
      terminal.print(
          "ok  %d files of %d days with %d rows; %d were listed and are as they were"
              .formatted(found.files(), found.days(), found.rows(), found.listed()));
    }
    if (record) {
      terminal.print(written + " manifests were written.");
    }
    json.write(
        Map.of(
            "whole", whole,
            "days", found.days(),
            "files", found.files(),
            "rows", found.rows(),
            "listed", found.listed(),
            "manifestsWritten", written,
            "problems",
                found.problems().stream()
                    .map(each -> Map.of("file", each.file().toString(), "what", each.what()))
                    .toList()));
    return whole ? ExitCode.DONE : ExitCode.NO;
  }
}
