package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GarbageTest {

  private static final Duration GRACE = Duration.ofHours(24);

  @TempDir Path root;
  private Depot depot;
  private ContentStore objects;

  @BeforeEach
  void openFolder() {
    depot = new FolderDepot(root);
    objects = new ContentStore(depot);
  }

  @Test
  void whatNobodyRefersToGoesAfterTwoGracePeriods() {
    ObjectId lost = put("lost");
    assertEquals(Set.of(lost.sha256()), after(0).look().young());
    assertEquals(Set.of(), after(0).collect().trashed());
    assertEquals(Set.of(lost.sha256()), after(2).collect().trashed());
    assertEquals(List.of(), depot.list("objects"));
    assertEquals(Set.of(), after(0).collect().removed());
    Garbage.Collected last = after(2).collect();
    assertEquals(Set.of(lost.sha256()), last.removed());
    assertEquals(4, last.freedBytes());
    assertThrows(CorruptObjectException.class, () -> objects.read(lost));
  }

  @Test
  void referencesAreCountedThroughRecordsAndManifests() {
    ObjectId graph = put("graph");
    ObjectId report = put("report");
    version(1, graph, put("card one"));
    version(2, graph, put("card two"));
    depot.create("evidence/v1/00000001.json", bytes(asContent(report)));
    depot.create("a-later-kind/00000001.json", bytes("\"" + report.sha256() + "\""));
    Garbage.Collected found = after(2).collect();
    assertEquals(2, found.references().get(graph.sha256()));
    assertEquals(2, found.references().get(report.sha256()));
    assertEquals(6, found.references().size());
    assertEquals(Set.of(), found.trashed());
    assertEquals(Set.of(), found.missing());
    assertEquals(6, depot.list("objects").size());
  }

  @Test
  void aDryRunChangesNothing() {
    put("lost");
    List<Depot.Stored> before = depot.list("objects");
    assertEquals(1, after(2).look().trashed().size());
    assertEquals(before, depot.list("objects"));
    assertEquals(List.of(), depot.list("trash"));
  }

  @Test
  void whatIsReferredToAfterItWasTrashedIsReadAndBroughtBack() {
    ObjectId graph = put("graph");
    after(2).collect();
    assertEquals(Set.of(graph.sha256()), trashed());
    version(1, graph, graph);
    assertEquals(Set.of(graph.sha256()), after(0).look().restored());
    assertArrayEquals(bytes("graph"), objects.read(graph));
    assertTrue(depot.find(ContentStore.nameOf(graph.sha256())).isPresent());
    Garbage.Collected later = after(2).collect();
    assertEquals(Set.of(), later.trashed());
    assertEquals(Set.of(), later.removed());
    assertEquals(Set.of(), trashed());
    assertArrayEquals(bytes("graph"), objects.read(graph));
  }

  @Test
  void aCollectionBringsBackWhatNobodyReadMeanwhile() {
    ObjectId graph = put("graph");
    after(2).collect();
    version(1, graph, graph);
    assertEquals(Set.of(graph.sha256()), after(4).collect().restored());
    assertTrue(depot.find(ContentStore.nameOf(graph.sha256())).isPresent());
  }

  @Test
  void aMissingFileIsReportedAndAMissingManifestStopsIt() {
    ObjectId graph = put("graph");
    ObjectId manifest = version(1, graph, graph);
    put("lost");
    depot.delete(ContentStore.nameOf(graph.sha256()));
    assertEquals(Set.of(graph.sha256()), after(2).look().missing());
    depot.put(ContentStore.nameOf(manifest.sha256()), bytes("altered"));
    assertThrows(CorruptObjectException.class, () -> after(2).collect());
    assertFalse(depot.list("objects").isEmpty());
    assertEquals(List.of(), depot.list("trash"));
  }

  private Set<String> trashed() {
    return depot.list("trash").stream()
        .map(stored -> stored.name().split("/", -1)[1])
        .collect(Collectors.toSet());
  }

  private Garbage after(int gracePeriods) {
    return new Garbage(
        depot, Clock.offset(Clock.systemUTC(), GRACE.multipliedBy(gracePeriods)), GRACE);
  }

  private ObjectId version(int number, ObjectId graph, ObjectId card) {
    ObjectId manifest =
        put("{\"files\":[" + asContent(graph) + "," + asContent(card) + "],\"n\":" + number + "}");
    depot.create(
        "versions/feed/%08d.json".formatted(number), bytes("{\"m\":" + asContent(manifest) + "}"));
    return manifest;
  }

  private ObjectId put(String text) {
    return objects.put(bytes(text));
  }

  private static String asContent(ObjectId id) {
    return "{\"sha256\":\"" + id.sha256() + "\",\"size\":" + id.size() + "}";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
