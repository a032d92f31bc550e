package io.bellwether.serving.exposure;

import org.jspecify.annotations.Nullable;

/**
 * How a version would have decided.
 *
 * @param degraded why it could not score; null where it did
 * @param micros how long it took
 * @param agreement share of positions at which both slates have the same item, [0, 1]
 * @param distance total variation distance of the two distributions of the first position, [0, 1]
 */
record ShadowScore(@Nullable String degraded, long micros, double agreement, double distance) {

  static ShadowScore failed(String reason, long micros) {
    return new ShadowScore(reason, micros, 0, 0);
  }
}
