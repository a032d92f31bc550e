package io.bellwether.trainer.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A log that is to be imported. Immutable.
 *
 * @param name of the archive folder that it becomes: letters, digits and hyphens
 * @param files all files that are read; an interrupted import goes on only where none has changed
 * @param settings whatever else decides what is read, as a text
 * @param catalogue whether many decisions share their candidates, whose features are then encoded
 *     once and, where there are many, not kept as JSON with each decision
 * @param opener opens it from its beginning; the same entries each time
 */
public record ImportSource(
    String name, List<Path> files, String settings, boolean catalogue, Opener opener) {

  public ImportSource {
    if (!name.matches("[A-Za-z0-9-]{1,100}")) {
      throw new ImportRefused(
          "'" + name + "' cannot name an import, must be 1 to 100 letters, digits and hyphens");
    }
    files = List.copyOf(files);
  }

  /** Opens a log. */
  @FunctionalInterface
  public interface Opener {
    /**
     * A reader at the log's beginning; whoever calls closes it.
     *
     * @throws ImportRefused where the log as a whole cannot be read
     */
    LogReader open() throws IOException;
  }
}
