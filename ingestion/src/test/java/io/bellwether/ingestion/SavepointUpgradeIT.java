package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.attribution.DeadLetter;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.redis.RedisValue;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A job of today goes on where a job of an earlier release stopped, and loses nothing. */
class SavepointUpgradeIT {

  private static final Path RELEASES = Path.of("src/test/resources/savepoints");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final UpgradeStory story = UpgradeStory.told();

  @Test
  void theSavepointOfAnEarlierReleaseIsContinuedExactly() throws Exception {
    assertContinued("native", "hashmap");
  }

  /** And so state moves from the heap to the disk. */
  @Test
  void aCanonicalSavepointIsContinuedOnAnotherStateBackend() throws Exception {
    assertContinued("canonical", "rocksdb");
  }

  private void assertContinued(String savepoint, String backend) throws Exception {
    Path release = RELEASES.resolve("2026-11-30");
    Map<String, Transition> latest = new TreeMap<>();
    for (Transition transition : emitted(release.resolve("emitted"))) {
      newer(latest, transition);
    }
    // With two subtasks instead of one: state also moves.
    try (StoryJob job =
        StoryJob.start(
            "restored on " + backend,
            UpgradeStory.records().size(),
            2,
            backend,
            Optional.of(release.resolve(savepoint)))) {
      Map<String, Transition> expected = story.transitions();
      Instant deadline = Instant.now().plus(PATIENCE);
      while (Instant.now().isBefore(deadline) && !isDone(job, latest, expected)) {
        job.checkRunning();
        job.numbers().awaitMore(Duration.ofSeconds(1)); // They come each second.
      }
      assertTrue(job.transitions().all().size() > 50, "and went on after that");
      job.transitions().all().forEach(t -> newer(latest, t));
      assertTransitions(expected, latest);
      assertEquals(UpgradeStory.givenUpLater(), givenUp(job), "outcomes without a decision");
      story.numbers().assertAre(numbers(job));
      assertHistories(job);
    }
  }

  private boolean isDone(
      StoryJob job, Map<String, Transition> before, Map<String, Transition> expected)
      throws Exception {
    Map<String, Transition> latest = new TreeMap<>(before);
    job.transitions().all().forEach(t -> newer(latest, t));
    return expected.equals(comparable(latest))
        && givenUp(job) == UpgradeStory.givenUpLater()
        && story.numbers().areCounted(numbers(job));
  }

  private static void newer(Map<String, Transition> latest, Transition transition) {
    latest.merge(
        transition.getDecision().getDecisionId(),
        transition,
        (a, b) -> a.getRevision() > b.getRevision() ? a : b);
  }

  private static void assertTransitions(
      Map<String, Transition> expected, Map<String, Transition> actual) {
    Map<String, Transition> compared = comparable(actual);
    assertEquals(expected.keySet(), compared.keySet());
    expected.forEach((id, transition) -> assertEquals(transition, compared.get(id), id));
  }

  private static Map<String, Transition> comparable(Map<String, Transition> transitions) {
    Map<String, Transition> comparable = new TreeMap<>();
    transitions.forEach(
        (id, transition) ->
            comparable.put(
                id,
                Transition.newBuilder(transition)
                    .setRevision(0)
                    .setJoinedAtMicros(0)
                    .setOutcomes(List.of())
                    .build()));
    return comparable;
  }

  private static int givenUp(StoryJob job) {
    int refused = 0;
    for (DeadLetter letter : job.deadLetters().all()) {
      assertEquals("unknown-decision", letter.reason(), letter::detail);
      refused++;
    }
    return refused;
  }

  private static Map<String, VariantNumbers> numbers(StoryJob job) {
    Map<String, VariantNumbers> latest = new HashMap<>();
    for (VariantNumbers numbers : job.numbers().all()) {
      String key =
          numbers.getExperiment()
              + "/"
              + numbers.getPhase()
              + "/"
              + numbers.getVariant()
              + "/"
              + numbers.getSlice();
      latest.put(key, numbers);
    }
    return latest;
  }

  private void assertHistories(StoryJob job) throws Exception {
    Map<String, byte[]> latest = new HashMap<>();
    for (RedisValue value : job.online().all()) {
      if (value.field().isEmpty()) {
        latest.put(value.key(), value.value());
      }
    }
    Map<String, float[]> expected = story.histories();
    assertEquals(expected.keySet(), new TreeMap<>(latest).keySet());
    for (Map.Entry<String, float[]> subject : expected.entrySet()) {
      byte[] stored = Objects.requireNonNull(latest.get(subject.getKey()));
      assertArrayEquals(subject.getValue(), story.historyRows(stored), subject.getKey());
    }
  }

  private static List<Transition> emitted(Path file) throws Exception {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    List<Transition> emitted = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      while (in.available() > 0) {
        emitted.add(codec.decode(Objects.requireNonNull(in.readNBytes(in.readInt()))));
      }
    }
    assertTrue(emitted.size() > 100, "transitions were out before");
    return emitted;
  }
}
