package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.object.ContentStore;
import io.bellwether.policy.object.FolderDepot;
import io.bellwether.policy.object.ObjectId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that look after a policy store itself. */
class StoreVerbsTest {
  @TempDir Path folder;
  private Path store;
  private CommandLineFixture command;

  @BeforeEach
  void prepare() {
    store = folder.resolve("data").resolve("store");
    command = new CommandLineFixture(folder.resolve("data"));
  }

  @Test
  void garbageIsShownThenTrashedThenRemovedAndVersionsStay() throws Exception {
    command.publishRanking(1);
    ObjectId lost = new ContentStore(new FolderDepot(store)).put("cut off".getBytes(UTF_8));
    Path object = store.resolve("objects").resolve(lost.sha256().substring(0, 2));
    age(object.resolve(lost.sha256()));
    JsonNode shown = command.resultOf(ExitCode.DONE, "policies", "gc", "--dry-run");
    assertEquals(lost.sha256(), shown.at("/trashed/0").textValue());
    assertTrue(Files.exists(object.resolve(lost.sha256())));
    JsonNode done = command.resultOf(ExitCode.DONE, "policies", "gc");
    assertEquals(1, done.get("trashed").size());
    assertFalse(Files.exists(object.resolve(lost.sha256())));
    try (var trash = Files.list(store.resolve("trash").resolve(lost.sha256()))) {
      trash.forEach(StoreVerbsTest::age);
    }
    JsonNode gone = command.resultOf(ExitCode.DONE, "policies", "gc");
    assertEquals(lost.sha256(), gone.at("/removed/0").textValue());
    assertEquals(7, gone.get("freedBytes").intValue());
    assertEquals(0, gone.get("missing").size());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "gc", "--grace-hours", "0"));
  }

  @Test
  void changesGoOnWhereTheFileSays() throws Exception {
    String file = folder.resolve("seen.txt").toString();
    command.publishRanking(1);
    JsonNode first = command.resultOf(ExitCode.DONE, "policies", "changes", "--since", file);
    assertTrue(
        first.at("/changes/0/journal").textValue().startsWith("versions/"), first.toString());
    JsonNode none = command.resultOf(ExitCode.DONE, "policies", "changes", "--since", file);
    assertEquals(0, none.get("changes").size());
    command.publishRanking(2);
    JsonNode second = command.resultOf(ExitCode.DONE, "policies", "changes", "--since", file);
    assertEquals(2, second.at("/changes/0/sequence").intValue());
    Files.writeString(Path.of(file), "log:99");
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "changes", "--since", file));
  }

  @Test
  void aPlaceThatIsNoneIsRefusedWithoutRepeatingWhatMayBeSecret() {
    for (String place :
        new String[] {
          "s3://who:hush@bucket/p",
          "s3://bucket/p?endpoint=http://who:hush@127.0.0.1:9",
          "s3://bucket/p?secret=hush",
          "s3://BUCKET"
        }) {
      assertEquals(ExitCode.WRONG_INPUT, command.run("policies", "--store", place), place);
      assertFalse(command.errors().contains("hush"), command.errors());
    }
  }

  private static void age(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(2, ChronoUnit.DAYS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
