package io.bellwether.serving.deadline;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long a caller, or a proxy on its behalf, waits for an answer, as HTTP headers and gRPC
 * metadata say it. The smallest one counts.
 */
public final class DeadlineHeaders {

  /** Our own: whole milliseconds. */
  public static final String OWN = "Bellwether-Deadline-Ms";

  /** Envoy's and Istio's: whole milliseconds. */
  public static final String ENVOY = "x-envoy-expected-rq-timeout-ms";

  /** gRPC's: up to eight digits and a unit. */
  public static final String GRPC = "grpc-timeout";

  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,8})([HMSmun])");

  private DeadlineHeaders() {}

  /** The headers of a request by their names, in whichever case. */
  @FunctionalInterface
  public interface Headers {

    /** The value of a header; null where there is none. */
    @Nullable String get(String name);
  }

  /**
   * The smallest budget that the headers name, in milliseconds, at least 1; empty where they name
   * none.
   *
   * @throws ProblemException 400 where one of them cannot be read
   */
  public static OptionalLong budgetMillis(Headers headers) {
    long least =
        Math.min(
            Math.min(millis(OWN, headers.get(OWN)), millis(ENVOY, headers.get(ENVOY))),
            withUnit(headers.get(GRPC)));
    return least == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(Math.max(1, least));
  }

  private static long millis(String name, @Nullable String value) {
    if (value == null) {
      return Long.MAX_VALUE;
    }
    String digits = value.trim();
    if (!MILLIS.matcher(digits).matches()) {
      throw refused(name, value, "whole milliseconds, such as 50");
    }
    return Long.parseLong(digits);
  }

  private static long withUnit(@Nullable String value) {
    if (value == null) {
      return Long.MAX_VALUE;
    }
    Matcher matcher = WITH_UNIT.matcher(value.trim());
    if (!matcher.matches()) {
      throw refused(GRPC, value, "up to eight digits and one of H M S m u n, such as 50m");
    }
    return unit(matcher.group(2).charAt(0)).toMillis(Long.parseLong(matcher.group(1)));
  }

  private static TimeUnit unit(char letter) {
    return switch (letter) {
      case 'H' -> TimeUnit.HOURS;
      case 'M' -> TimeUnit.MINUTES;
      case 'S' -> TimeUnit.SECONDS;
      case 'm' -> TimeUnit.MILLISECONDS;
      case 'u' -> TimeUnit.MICROSECONDS;
      default -> TimeUnit.NANOSECONDS;
    };
  }

  private static ProblemException refused(String name, String value, String right) {
    return ProblemException.of(
        Slug.INVALID_REQUEST,
        "The header %s has %d characters that are not %s.".formatted(name, value.length(), right));
  }
}
