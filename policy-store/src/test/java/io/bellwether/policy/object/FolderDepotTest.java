package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderDepotTest implements DepotContract {

  @TempDir Path root;
  private Depot depot;

  @BeforeEach
  void openFolder() {
    depot = new FolderDepot(root);
  }

  @Override
  public Depot depot() {
    return depot;
  }

  @Test
  void noTemporaryFileIsLeft() throws IOException {
    depot.create("a/one", new byte[1]);
    depot.create("a/one", new byte[2]);
    depot.put("a/two", new byte[3]);
    try (Stream<Path> left = Files.list(root.resolve("temporary"))) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void recordsAreNumberedTheSameInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertTrue(new Journal(depot, "log").append(1, new byte[1]));
    } finally {
      Locale.setDefault(before);
    }
    assertEquals(1, new Journal(depot, "log").last());
  }

  @Test
  void whatOthersLeaveInAFolderIsNotInTheDepot() throws IOException {
    depot.create("a/one", new byte[1]);
    Files.writeString(root.resolve("a/.DS_Store"), "a file browser", UTF_8);
    Files.writeString(root.resolve("a/one (copy)"), "a person", UTF_8);
    assertEquals(1, depot.list("a").size());
    assertEquals(List.of(), depot.folders("a"));
  }
}
