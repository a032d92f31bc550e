package io.bellwether.infra.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What a second start has to know of the first: which people have been met.
 *
 * @param run number of the run; ends the ids of its decisions
 * @param nextSession first session that no run has started
 */
public record DemoMemory(int run, long nextSession) {

  /** Its name in the data folder; a folder without it is no demo's. */
  public static final String FILE = "demo.json";

  /** Sessions of the simulator from here on are for logs. */
  private static final long FIRST_LOG_SESSION = 100_000;

  /** More sessions than a run can start: a killed run's sessions are never met again. */
  private static final long SESSIONS_OF_A_RUN = 1_000_000;

  /** Of the latest run on this data folder, if there was one; then one run on. */
  static DemoMemory next(Path data) throws IOException {
    Path file = data.resolve(FILE);
    DemoMemory next;
    try {
      DemoMemory last = new ObjectMapper().readValue(Files.readAllBytes(file), DemoMemory.class);
      next = new DemoMemory(last.run + 1, last.nextSession + SESSIONS_OF_A_RUN);
    } catch (NoSuchFileException first) {
      next = new DemoMemory(1, FIRST_LOG_SESSION);
    }
    Path draft = data.resolve(FILE + ".new");
    Files.write(draft, new ObjectMapper().writeValueAsBytes(next));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return next;
  }

  /** How the simulated product names this run in decision ids. */
  String name() {
    return Integer.toString(run);
  }
}
