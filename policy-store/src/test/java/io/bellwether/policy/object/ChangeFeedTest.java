package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeFeedTest {

  @TempDir Path root;
  private Depot depot;
  private ChangeFeed feed;

  @BeforeEach
  void openFolder() {
    depot = new FolderDepot(root);
    feed = new ChangeFeed(depot);
  }

  @Test
  void aReaderGoesOnWhereItWas() {
    assertEquals(List.of(), feed.after(ChangeFeed.START, 10).changes());
    append("versions/feed");
    append("log");
    ChangeFeed.Page first = feed.after(ChangeFeed.START, 10);
    assertEquals(List.of("versions/feed 1", "log 1"), words(first));
    assertEquals(List.of(), feed.after(first.next(), 10).changes());
    append("log");
    append("versions/other");
    append("evidence/v1");
    assertEquals(
        List.of("versions/other 1", "evidence/v1 1", "log 2"), words(feed.after(first.next(), 10)));
  }

  @Test
  void aPageHasAsManyAsAskedForAndTheNextOneTheRest() {
    for (int i = 0; i < 5; i++) {
      append("versions/feed");
    }
    ChangeFeed.Page first = feed.after(ChangeFeed.START, 3);
    assertEquals(3, first.changes().size());
    assertTrue(first.more());
    ChangeFeed.Page second = feed.after(first.next(), 3);
    assertEquals(List.of("versions/feed 4", "versions/feed 5"), words(second));
    assertFalse(second.more());
  }

  @Test
  void aPlaceAheadOfTheStoreOrNoneAtAllIsRefused() {
    append("log");
    String place = feed.after(ChangeFeed.START, 10).next();
    depot.delete("log/00000001.json");
    assertThrows(IllegalArgumentException.class, () -> feed.after(place, 10));
    assertThrows(IllegalArgumentException.class, () -> feed.after("nonsense", 10));
    assertThrows(IllegalArgumentException.class, () -> feed.after(ChangeFeed.START, 0));
  }

  @Test
  void whoReadsWhileManyWriteHasEachRecordOnceAndInOrder() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (String journal : List.of("versions/a", "versions/b", "log")) {
        writers.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    append(journal);
                  }
                }));
      }
      List<String> seen = new ArrayList<>();
      String place = ChangeFeed.START;
      while (seen.size() < 60) {
        ChangeFeed.Page page = feed.after(place, 7);
        seen.addAll(words(page));
        place = page.next();
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      assertEquals(60, new HashSet<>(seen).size());
      for (String journal : List.of("versions/a", "versions/b", "log")) {
        List<String> own = seen.stream().filter(each -> each.startsWith(journal + " ")).toList();
        for (int i = 0; i < 20; i++) {
          assertEquals(journal + " " + (i + 1), own.get(i));
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void append(String journal) {
    new Journal(depot, journal).append(n -> Long.toString(n).getBytes(UTF_8));
  }

  private static List<String> words(ChangeFeed.Page page) {
    return page.changes().stream().map(each -> each.journal() + " " + each.sequence()).toList();
  }
}
