package io.bellwether.serving.subject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.object.Journal;
import io.bellwether.serving.problem.ProblemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptsTest {

  @TempDir Path folder;

  @Test
  void eachReceiptNamesTheOneBeforeIt() {
    Receipts.Kept first = append(receipts(), "a");
    Receipts.Kept second = append(receipts(), "b");
    assertEquals(Receipts.NOTHING, first.receipt().previous());
    assertEquals(first.digest(), second.receipt().previous());
    assertNotEquals(first.digest(), second.digest());
    assertEquals(Optional.of(second), receipts().find("b"));
    assertEquals(Optional.empty(), receipts().find("c"));
  }

  @Test
  void aJobHasOneReceiptWhoeverWritesIt() {
    Receipts one = receipts();
    Receipts other = receipts();
    assertEquals(append(one, "a"), append(other, "a"));
    assertEquals(2, append(other, "b").receipt().sequence());
    assertEquals(3, append(one, "c").receipt().sequence());
  }

  @Test
  void aChangedReceiptBreaksTheChain() throws Exception {
    append(receipts(), "a");
    append(receipts(), "b");
    Path first = folder.resolve("erasures/00000001.json");
    String text = Files.readString(first);
    assertTrue(text.contains("\"api\""), text);
    first.toFile().setWritable(true);
    Files.writeString(first, text.replace("\"api\"", "\"ape\""));
    assertThrows(ProblemException.class, () -> receipts().find("b"));
  }

  private Receipts receipts() {
    return new Receipts(new Journal(folder.resolve("erasures"), folder.resolve("temporary")));
  }

  private static Receipts.Kept append(Receipts receipts, String job) {
    return receipts.append(
        job,
        (sequence, previous) ->
            new Receipt(
                job,
                sequence,
                previous,
                List.of("f".repeat(64)),
                "api",
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                List.of(new Receipt.Removed("archive", "decisions", 3)),
                List.of(new Receipt.Expiry("kafka", null)),
                List.of()));
  }
}
