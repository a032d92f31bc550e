package io.bellwether.trainer.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialLoopTest {
  private static final SearchPlan PLAN =
      new SearchPlan(
          "digest",
          List.of("constrained-actor-critic", "iql"),
          11,
          0.3,
          0,
          "test",
          Instant.parse("2026-11-20T00:00:00Z"),
          Instant.parse("2026-11-30T00:00:00Z"),
          List.of("surface=shop/a.parquet"));
  private static final int DRAWS = 12;

  @TempDir Path folder;
  private final List<String> lines = new ArrayList<>();

  @Test
  void aSearchThatWasKilledGivesTheSameRankingWhenItGoesOn() throws IOException {
    List<Trial> whole = loop("whole", new Judged(5, Integer.MAX_VALUE), Duration.ofDays(1)).run();
    assertEquals(1 + Halving.steps(DRAWS), whole.size());
    for (int killedAfter : List.of(0, 1, 7, 10, 14)) {
      String name = "killed-" + killedAfter;
      TrialLoop killed = loop(name, new Judged(5, killedAfter), Duration.ofDays(1));
      assertThrows(IllegalStateException.class, killed::run);
      // half a file of the trial that was running
      Files.writeString(folder.resolve(name).resolve("trial-3-0.json.part"), "{\"dr");
      assertEquals(whole, loop(name, new Judged(5, 99), Duration.ofDays(1)).run());
    }
    assertTrue(lines.contains("7 trials were finished before"), lines::toString);
  }

  @Test
  void noTrialBeginsWhenTheTimeIsUp() throws IOException {
    // a trial takes a minute
    List<Trial> first = loop("timed", new Judged(5, 99), Duration.ofMinutes(4)).run();
    assertEquals(4, first.size());
    assertEquals("the time is up", lines.get(lines.size() - 1));
    assertTrue(
        lines.get(0).startsWith("trial 1 of 19: behaviour-cloning, 10 epochs"), lines.get(0));
    assertTrue(lines.get(0).endsWith("; 3 min left"), lines.get(0));
    List<Trial> second = loop("timed", new Judged(5, 99), Duration.ofHours(4)).run();
    assertEquals(1 + Halving.steps(DRAWS), second.size());
    assertTrue(second.containsAll(first));
  }

  @Test
  void aPlanIsReadAsItWasWritten() throws IOException {
    SearchFolder written = new SearchFolder(folder.resolve("plan"));
    written.write(PLAN);
    assertEquals(PLAN, written.plan().orElseThrow());
  }

  private TrialLoop loop(String name, Judged judged, Duration limit) throws IOException {
    SearchFolder kept = new SearchFolder(folder.resolve(name));
    kept.write(PLAN);
    Minutes clock = new Minutes();
    Trials trials =
        (step, draw) -> {
          clock.minutes++;
          return judged.run(step, draw);
        };
    return new TrialLoop(PLAN, DRAWS, limit, kept, trials, clock, lines::add);
  }

  /** Goes on by a minute for each trial. */
  private static final class Minutes extends Clock {
    private long minutes;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusSeconds(60 * minutes);
    }
  }
}
