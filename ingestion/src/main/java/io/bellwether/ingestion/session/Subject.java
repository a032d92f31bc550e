package io.bellwether.ingestion.session;

import io.bellwether.ingestion.session.SessionLinks.Link;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one subject's {@link Timeline} stands: state, public so that Flink serializes it as a
 * record. There is none where no decision is kept. One object, so that an event costs one look at
 * the state.
 *
 * @param oldestId the first decision in time that is kept
 * @param newestId the last one
 * @param linkedUntil the last one that is linked; null where none is
 * @param before the place of the last one in time that was let go; null where none was
 * @param touched decisions that are linked and to be looked at again; grows in place
 * @param wakesAtMillis event time of the next timer; the end of time for none
 */
public record Subject(
    String oldestId,
    String newestId,
    @Nullable String linkedUntil,
    @Nullable Link before,
    List<String> touched,
    long wakesAtMillis) {

  static Subject first(String decisionId) {
    return new Subject(decisionId, decisionId, null, null, new ArrayList<>(0), Long.MAX_VALUE);
  }

  Subject between(String oldest, String newest) {
    return new Subject(oldest, newest, linkedUntil, before, touched, wakesAtMillis);
  }

  Subject linkedUntil(@Nullable String decisionId) {
    return new Subject(oldestId, newestId, decisionId, before, touched, wakesAtMillis);
  }

  Subject after(@Nullable Link released) {
    return new Subject(oldestId, newestId, linkedUntil, released, touched, wakesAtMillis);
  }

  Subject wakingAt(long millis) {
    return new Subject(oldestId, newestId, linkedUntil, before, touched, millis);
  }
}
