package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalOutputFile;

/**
 * Writes transitions to an archive without a stream, for imports. Files become visible, each at
 * once, when they are full or the writer closes; until then their names start with a dot. Confined
 * to one thread.
 */
public final class TransitionArchiveWriter implements AutoCloseable {

  private static final long MAX_ROWS = 200_000;

  /** Each open file holds a row group; transitions that come in the order of days need one. */
  private static final int MAX_OPEN = 8;

  private final Path root;
  private final String name;
  private final Map<String, OpenFile> open = new LinkedHashMap<>(16, 0.75f, true);
  private int files;

  /**
   * @param root as for {@link TransitionArchive}; created if absent
   * @param name tells this import's files from others; letters, digits and hyphens
   */
  public TransitionArchiveWriter(Path root, String name) {
    if (!name.matches("[A-Za-z0-9-]+")) {
      throw new IllegalArgumentException("'" + name + "' is not only letters, digits and hyphens");
    }
    this.root = root;
    this.name = name;
  }

  private static final class OpenFile {
    private final Path hidden;
    private final Path finished;
    private final ParquetWriter<Transition> rows;
    private long count;

    OpenFile(Path folder, String fileName) throws IOException {
      Files.createDirectories(folder);
      hidden = folder.resolve("." + fileName + ".inprogress");
      finished = folder.resolve(fileName);
      Files.deleteIfExists(hidden);
      rows = ArchiveLayout.open(new LocalOutputFile(hidden));
    }

    void finish() throws IOException {
      rows.close();
      Files.move(hidden, finished, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Adds a transition whose required fields are all set. */
  public void write(Transition transition) throws IOException {
    String folder = ArchiveLayout.folder(transition);
    OpenFile file = open.get(folder);
    if (file == null) {
      if (open.size() >= MAX_OPEN) {
        finish(open.keySet().iterator().next());
      }
      String fileName = ArchiveLayout.PREFIX + "-" + name + "-" + files++ + ArchiveLayout.SUFFIX;
      file = new OpenFile(root.resolve(folder), fileName);
      open.put(folder, file);
    }
    file.rows.write(transition);
    if (++file.count >= MAX_ROWS) {
      finish(folder);
    }
  }

  private void finish(String folder) throws IOException {
    OpenFile file = open.remove(folder);
    if (file != null) {
      file.finish();
    }
  }

  /** Finishes all files. */
  @Override
  public void close() throws IOException {
    for (OpenFile file : open.values()) {
      file.finish();
    }
    open.clear();
  }
}
