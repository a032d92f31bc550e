package io.bellwether.trainer.imports.kuairand;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.ImportSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The logs of KuaiRand as one log.
 *
 * <p>Source: Gao, Li, Zhang, Chen, Li, Lei, Jiang and He, "KuaiRand: An Unbiased Sequential
 * Recommendation Dataset with Randomly Exposed Videos", 2022.
 */
public final class KuaiRandImport {

  private KuaiRandImport() {}

  /** Which of the logs are read. */
  public enum Part {
    /** What was shown at random: exact propensities. */
    RANDOM,
    /** What the recommender showed: no propensities. */
    STANDARD,
    /** Both, so that sessions are whole. */
    BOTH
  }

  /**
   * The log of a folder.
   *
   * @param name of the import
   * @param candidates how many each decision has: the shown video and others of the pool
   * @throws ImportRefused where the folder does not hold such a log
   */
  public static ImportSource source(
      String name, Path folder, Part part, int candidates, Surface surface) throws IOException {
    KuaiRandFiles files = KuaiRandFiles.in(folder);
    List<Path> logs =
        switch (part) {
          case RANDOM -> files.random();
          case STANDARD -> files.standard();
          case BOTH -> Stream.concat(files.standard().stream(), files.random().stream()).toList();
        };
    if (logs.isEmpty()) {
      throw new ImportRefused(
          folder + " holds no " + (part == Part.RANDOM ? "log_random*.csv" : "log_standard*.csv"));
    }
    return new ImportSource(
        name,
        files.with(logs),
        part + " " + candidates,
        true,
        () -> KuaiRandReader.open(files, logs, candidates, surface));
  }
}
