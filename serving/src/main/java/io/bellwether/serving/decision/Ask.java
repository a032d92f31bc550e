package io.bellwether.serving.decision;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request for a decision as it came, by whichever interface.
 *
 * @param key the decision's id where the body has none
 * @param body the JSON of {@code POST /v1/decisions}
 * @param arrivedNanos when it came, {@link System#nanoTime}
 * @param budgetMillis time for the answer, where the transport said it; the body and the surface
 *     may ask for less
 * @param traceId W3C trace id, 32 hex digits; absent where the caller sent none
 */
public record Ask(
    @Nullable String key,
    Body body,
    long arrivedNanos,
    OptionalLong budgetMillis,
    @Nullable String traceId) {

  /**
   * A body that may still have to be made, which takes time. Any thread may ask for it, and more
   * than once. The array is not copied.
   */
  @FunctionalInterface
  public interface Body {

    /**
     * The JSON.
     *
     * @throws io.bellwether.serving.problem.ProblemException where none can be made
     */
    byte[] bytes();
  }

  /** A request that comes now and whose transport says no more. */
  public static Ask now(@Nullable String key, byte[] body) {
    return new Ask(key, () -> body, System.nanoTime(), OptionalLong.empty(), null);
  }
}
