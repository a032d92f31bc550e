package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;

/**
 * An exposure that was counted, as its decision keeps it: state of {@link MeasureUnits}, public so
 * that Flink serializes it as a record. Immutable by convention: nobody changes the array.
 *
 * @param unitKey names the unit among those of its subject; empty where none is counted
 * @param teams which variant each position's item counts for; empty unless interleaved
 */
public record Met(String exposureId, boolean shadow, String unitKey, int[] teams) {

  static Met by(Exposure exposure, String unitKey) {
    return new Met(
        exposure.getExposureId(),
        exposure.getKind() == ExposureKind.SHADOW,
        unitKey,
        exposure.getTeams().stream().mapToInt(Integer::intValue).toArray());
  }

  boolean same(Met other) {
    return shadow == other.shadow && exposureId.equals(other.exposureId);
  }
}
