package io.bellwether.ingestion.recall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.feature.Floats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryCheckTest {

  @TempDir Path archive;

  @Test
  void whatTheJobToldAtOnceEqualsTheArchive() throws Exception {
    Agreement found = checked(RecordedSubjects.seenAfter(Duration.ZERO), Duration.ofSeconds(10));

    assertEquals(300, found.decisions());
    assertTrue(found.firsts() > 0);
    assertEquals(300, found.firsts() + found.equal(), () -> found.examples().toString());
    assertEquals(0, found.shareDifferent());
  }

  @Test
  void whatServingSawLaterIsLateUpToThePatience() throws Exception {
    RecordedSubjects later = RecordedSubjects.seenAfter(Duration.ofSeconds(4));
    Agreement found = checked(later, Duration.ofSeconds(10));

    assertEquals(0, found.different(), () -> found.examples().toString());
    assertTrue(found.late() > 20, found::toString);
    assertTrue(found.equal() > 20, found::toString);
    assertTrue(
        new HistoryCheck(
                    archive, RecordedSubjects.SURFACE, Duration.ofSeconds(1), Duration.ofDays(30))
                .run()
                .different()
            > 20);
  }

  @Test
  void anAlteredRowIsDifferentAndNamed() throws Exception {
    RecordedSubjects all = RecordedSubjects.seenAfter(Duration.ZERO);
    Decision altered = all.decisions().get(200);
    float[] rows = Floats.of(altered.getHistory());
    rows[rows.length - 1] += 1; // A like more than there was.
    altered.setHistory(Floats.toBytes(rows, rows.length));
    Decision forgot = all.decisions().get(201);
    forgot.setHistory(Floats.toBytes(new float[rows.length], rows.length));

    Agreement found = checked(all, Duration.ofMillis(1));

    assertEquals(2, found.different());
    Map<String, String> what =
        found.examples().stream()
            .collect(Collectors.toMap(Agreement.Example::decisionId, Agreement.Example::what));
    assertEquals(Set.of("d200", "d201"), what.keySet());
    assertTrue(what.getOrDefault("d200", "").startsWith("signals ["), what::toString);
    assertTrue(what.getOrDefault("d201", "").startsWith("serving did not"), what::toString);
  }

  private Agreement checked(RecordedSubjects all, Duration patience) throws Exception {
    all.archive(archive);
    return new HistoryCheck(archive, RecordedSubjects.SURFACE, patience, Duration.ofDays(30)).run();
  }
}
