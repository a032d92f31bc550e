package io.bellwether.serving.experiment;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A stretch of an experiment in which shares and versions are constant. Immutable.
 *
 * @param number from 1
 * @param startedAt nobody is assigned in this phase before
 * @param shares basis points by variant, control first; they add up to 10000 except where variants
 *     are only scored
 * @param versions what each variant was pinned to: a version's id, {@code uniform}, {@code
 *     as-given}, or the variant's own name where it carries a payload
 */
public record Phase(
    int number, Instant startedAt, Map<String, Integer> shares, Map<String, String> versions) {

  public Phase {
    shares = Collections.unmodifiableMap(new LinkedHashMap<>(shares));
    versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
  }

  /** A variant's share as a chance, 0 where it has none. */
  public double share(String variant) {
    return shares.getOrDefault(variant, 0) / (double) Bucket.COUNT;
  }

  /** What a variant was pinned to. */
  public String version(String variant) {
    String version = versions.get(variant);
    if (version == null) {
      throw new IllegalArgumentException("no variant '" + variant + "' in phase " + number);
    }
    return version;
  }
}
