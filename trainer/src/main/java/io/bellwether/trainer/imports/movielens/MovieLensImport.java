package io.bellwether.trainer.imports.movielens;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.ImportSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The ratings of a MovieLens dataset as one log: each rating is a decision that showed the film.
 *
 * <p>Source: Harper and Konstan, "The MovieLens Datasets: History and Context", 2015.
 */
public final class MovieLensImport {

  private MovieLensImport() {}

  /**
   * The log of a folder with {@code ratings.csv} and {@code movies.csv}, plain or gzipped.
   *
   * @param name of the import
   * @param candidates how many each decision has: the rated film and others, drawn uniformly
   * @throws ImportRefused where the folder does not hold such a log
   */
  public static ImportSource source(String name, Path folder, int candidates, Surface surface)
      throws IOException {
    if (Files.exists(folder.resolve("ratings.dat"))) {
      throw new ImportRefused(
          folder
              + " is of the older form with ratings.dat; take one with ratings.csv, such as"
              + " ml-latest-small, 25M or 32M");
    }
    Path ratings = either(folder, "ratings.csv");
    Path movies = either(folder, "movies.csv");
    return new ImportSource(
        name,
        List.of(ratings, movies),
        Integer.toString(candidates),
        true,
        () -> MovieLensReader.open(ratings, movies, candidates, surface));
  }

  private static Path either(Path folder, String name) {
    Path plain = folder.resolve(name);
    Path zipped = folder.resolve(name + ".gz");
    if (!Files.isRegularFile(plain) && !Files.isRegularFile(zipped)) {
      throw new ImportRefused(folder + " holds no " + name);
    }
    return Files.isRegularFile(plain) ? plain : zipped;
  }
}
