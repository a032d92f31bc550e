package io.bellwether.serving.request;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The caller's trace, as W3C's header {@code traceparent} names it. */
public final class TraceContext {

  /** The header's name. */
  public static final String HEADER = "traceparent";

  private static final int LONGEST = 128;
  private static final String NO_TRACE = "0".repeat(32);

  /** Later versions may add parts at the end. */
  private static final Pattern PARTS =
      Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

  private TraceContext() {}

  /** The trace id of a header, 32 hex digits; null where there is none, or none that is valid. */
  public static @Nullable String traceId(@Nullable String header) {
    if (header == null || header.length() > LONGEST) {
      return null;
    }
    Matcher parts = PARTS.matcher(header.strip());
    return parts.matches() && !parts.group(1).equals(NO_TRACE) ? parts.group(1) : null;
  }
}
