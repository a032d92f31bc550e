package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.AttributionSettings;
import java.util.concurrent.CountDownLatch;

/**
 * Clears the archive of erased subjects, beside a job that runs in a cluster of its own; the
 * streams process does it by itself. One such process per archive, until SIGTERM.
 */
public final class ErasuresMain {

  private static final int WRONG_USAGE = 2;

  private ErasuresMain() {}

  /** Takes the options of {@link StreamsMain}. Exits 2 for a wrong command line. */
  public static void main(String[] arguments) throws Exception {
    StreamsOptions options;
    try {
      options = StreamsOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(WRONG_USAGE);
      return;
    }
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown, "stop erasures"));
    try (EraseFromArchive erasures =
        EraseFromArchive.beside(options, AttributionSettings.defaults())) {
      erasures.start();
      ended.await();
    }
  }
}
