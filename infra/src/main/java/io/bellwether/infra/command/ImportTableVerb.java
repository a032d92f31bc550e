package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.table.TableImport;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports a table, one row a decision, by a mapping file. */
@Command
final class ImportTableVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;
  private final TableImport.Format format;

  @Mixin private final ImportOptions options = new ImportOptions();

  @Parameters(paramLabel = "FILE", description = "The table; CSV and JSON lines may be gzipped.")
  private Path file = Path.of("");

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      required = true,
      description = "What the columns mean, see docs/import.md.")
  private Path mapping = Path.of("");

  @Option(
      names = "--separator",
      paramLabel = "CHAR",
      defaultValue = ",",
      description = "Between fields of CSV; tab for a tab (default: ${DEFAULT-VALUE}).")
  private String separator = ",";

  private ImportTableVerb(Installation installation, Terminal terminal, TableImport.Format format) {
    this.installation = installation;
    this.terminal = terminal;
    this.format = format;
  }

  /** The verb of one format. */
  static CommandLine of(Installation installation, Terminal terminal, TableImport.Format format) {
    CommandLine verb = new CommandLine(new ImportTableVerb(installation, terminal, format));
    String name = format.name().toLowerCase(Locale.ROOT);
    verb.getCommandSpec().name(name);
    verb.getCommandSpec()
        .usageMessage()
        .description(
            "Import a table in "
                + (format == TableImport.Format.PARQUET ? "Parquet" : format)
                + ", one row a decision, of which a mapping file says what the columns mean.",
            "What cannot be read is listed with line and reason in rejects.tsv. Interrupted, the"
                + " same command goes on.");
    verb.getCommandSpec().usageMessage().footerHeading("%nExamples:%n");
    verb.getCommandSpec()
        .usageMessage()
        .footer(
            "  bellwether import "
                + name
                + " clicks."
                + name
                + " --mapping clicks.yaml --surface shop --dry-run",
            "  bellwether import "
                + name
                + " clicks."
                + name
                + " --mapping clicks.yaml --surface shop");
    return verb;
  }

  @Override
  public Integer call() throws Exception {
    ImportSource source =
        TableImport.source(
            options.name(file), format, separator(), file, mapping, options.surface(installation));
    return options.run(format.name().toLowerCase(Locale.ROOT), source, installation, terminal);
  }

  private char separator() {
    if (separator.equals("tab") || separator.equals("\\t")) {
      return '\t';
    }
    if (separator.length() != 1 || separator.equals("\"")) {
      throw CommandFailed.wrongInput(
          "--separator '" + separator + "' is no separator.", "Give one character, or tab.");
    }
    return separator.charAt(0);
  }
}
