package io.bellwether.serving.subject;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.exposure.Frames;
import io.bellwether.serving.redis.RedisLink;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;

/**
 * Deletes what Redis holds of erased subjects: histories, which name theirs in the key, and
 * decisions that are kept for retries or for their activation, which name it inside. It goes
 * through all keys of these kinds in small pages. Thread-safe; waits.
 */
@Singleton
final class RedisErasure {

  private static final String HISTORY = "bellwether:history:";
  private static final String DECISION = "bellwether:decision:";
  private static final String DEFERRED = "bellwether:deferred:";

  private static final int HISTORIES_PER_PAGE = 1000;

  /** Each has some kilobytes. */
  private static final int DECISIONS_PER_PAGE = 50;

  /** Avro's single-object encoding begins with it: a decision without exposures. */
  private static final byte SINGLE_OBJECT = (byte) 0xC3;

  private final RedisLink redis;
  private final EventCodec<Decision> decisions = EventCodec.of(Decision.class);
  private final EventCodec<Exposure> exposures = EventCodec.of(Exposure.class);

  RedisErasure(RedisLink redis) {
    this.redis = redis;
  }

  /** How many keys were deleted. */
  record Deleted(long histories, long decisions, long deferred) {}

  /**
   * Deletes all that is to be forgotten.
   *
   * @throws RuntimeException where Redis is away; what was deleted stays deleted
   */
  Deleted delete(List<Erasure> erasures) {
    Map<String, Long> until = new HashMap<>();
    erasures.forEach(e -> until.merge(e.subject(), e.untilMicros(), Math::max));
    long histories =
        delete(
            HISTORY,
            HISTORIES_PER_PAGE,
            keys -> keys.stream().filter(key -> until.containsKey(subjectOf(key))).toList());
    long kept =
        delete(
            DECISION,
            DECISIONS_PER_PAGE,
            keys -> holding(keys, (key, value) -> isGone(decision(value), until)));
    long deferred =
        delete(
            DEFERRED,
            DECISIONS_PER_PAGE,
            keys -> holding(keys, (key, value) -> isGone(exposure(value), until)));
    return new Deleted(histories, kept, deferred);
  }

  /** Which of some keys are to be deleted. */
  private interface Choice {
    List<String> of(List<String> keys);
  }

  private long delete(String prefix, int about, Choice choice) {
    long deleted = 0;
    String cursor = "0";
    do {
      RedisLink.Keys page = done(redis.scan(cursor, prefix + "*", about));
      List<String> gone = page.keys().isEmpty() ? List.of() : choice.of(page.keys());
      if (!gone.isEmpty()) {
        deleted += done(redis.delete(gone));
      }
      cursor = page.cursor();
    } while (!cursor.equals("0"));
    return deleted;
  }

  private List<String> holding(List<String> keys, BiPredicate<String, byte[]> gone) {
    List<String> chosen = new ArrayList<>();
    done(redis.read(keys))
        .forEach(
            (key, value) -> {
              if (gone.test(key, value)) {
                chosen.add(key);
              }
            });
    return chosen;
  }

  /** The hash of the subject in a history's key; surfaces have no colon in their names. */
  private static String subjectOf(String key) {
    int colon = key.indexOf(':', HISTORY.length());
    return Erasure.hash(key.substring(colon + 1));
  }

  private static boolean isGone(Set<Made> made, Map<String, Long> until) {
    for (Made each : made) {
      if (each.atMicros() <= until.getOrDefault(Erasure.hash(each.subject()), Long.MIN_VALUE)) {
        return true;
      }
    }
    return false;
  }

  /** For whom something was decided, and when. */
  private record Made(String subject, long atMicros) {}

  private Set<Made> decision(byte[] value) {
    try {
      byte[] bytes = value[0] == SINGLE_OBJECT ? value : Frames.split(value).get(0);
      Decision decision = decisions.decode(bytes);
      return Set.of(new Made(decision.getSubjectId(), decision.getDecidedAtMicros()));
    } catch (UndecodableEventException | RuntimeException e) {
      return Set.of(); // Nobody's: an older release's, or no value of ours. It expires.
    }
  }

  private Set<Made> exposure(byte[] value) {
    Set<Made> made = new HashSet<>();
    try {
      List<byte[]> frames = Frames.split(value);
      for (byte[] bytes : frames.subList(1, frames.size())) {
        Exposure exposure = exposures.decode(bytes);
        made.add(new Made(exposure.getSubjectId(), exposure.getDecidedAtMicros()));
      }
    } catch (UndecodableEventException | RuntimeException e) {
      return made;
    }
    return made;
  }

  private static <T> T done(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
