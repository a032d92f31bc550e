package io.bellwether.evaluation.experiment;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has to be remembered from one tick to the next: plain data, so that it can be kept with the
 * evidence. A lost memory costs power and not validity: a roll-back then takes one tick longer, and
 * always-valid p-values start from the present look. Only a group-sequential design then looks once
 * more than it has planned.
 *
 * @param phase that {@code harmful} is about; 0 before the first tick
 * @param harmful for how many ticks in a row harm was shown, by "variant/metric"
 * @param smallestP smallest always-valid p-value so far, by "phase/variant/metric/sign": what was
 *     seen of a difference in one direction proves nothing about the other
 * @param mismatchP smallest p-value so far of the traffic split
 * @param looks the last planned look that was taken, by "variant/metric"
 */
public record TickMemory(
    int phase,
    SortedMap<String, Integer> harmful,
    SortedMap<String, Double> smallestP,
    double mismatchP,
    SortedMap<String, GroupReading> looks) {

  /** Follows the row's key of its other always-valid p-value. */
  static final String MIXTURE = "/mixture";

  public static final TickMemory START =
      new TickMemory(0, new TreeMap<>(), new TreeMap<>(), 1, new TreeMap<>());

  public TickMemory {
    harmful = Collections.unmodifiableSortedMap(new TreeMap<>(harmful));
    smallestP = Collections.unmodifiableSortedMap(new TreeMap<>(smallestP));
    looks = Collections.unmodifiableSortedMap(new TreeMap<>(looks));
    if (!(mismatchP >= 0 && mismatchP <= 1)) {
      throw new IllegalArgumentException("a p-value lies in [0, 1], found " + mismatchP);
    }
  }

  /** What a look without a decision leaves behind: all but the count of harmful ticks. */
  public TickMemory after(ExperimentReading reading) {
    SortedMap<String, Double> p = new TreeMap<>(smallestP);
    SortedMap<String, GroupReading> taken = new TreeMap<>(looks);
    for (PhaseReading each : reading.phases()) {
      each.metrics().forEach(row -> remember(p, each.number(), row));
    }
    reading
        .allPhases()
        .forEach(
            row -> {
              remember(p, MetricReading.ALL_PHASES, row);
              if (!row.group().information().isEmpty()) {
                taken.put(row.key(), row.group());
              }
            });
    return new TickMemory(phase, harmful, p, reading.sampleRatio().smallestP(), taken);
  }

  TickMemory withHarm(int currentPhase, SortedMap<String, Integer> ticks) {
    return new TickMemory(currentPhase, ticks, smallestP, mismatchP, looks);
  }

  int harmfulTicks(int currentPhase, String key) {
    return currentPhase == phase ? harmful.getOrDefault(key, 0) : 0;
  }

  double smallestP(int ofPhase, String key, double difference) {
    return smallestP.getOrDefault(ofPhase + "/" + key + sign(difference), 1.0);
  }

  private static String sign(double difference) {
    return difference < 0 ? "/-" : "/+";
  }

  private static void remember(SortedMap<String, Double> p, int phase, MetricReading row) {
    row.difference().number().ifPresent(value -> remember(p, phase, row, sign(value)));
  }

  private static void remember(
      SortedMap<String, Double> p, int phase, MetricReading row, String sign) {
    String key = phase + "/" + row.key() + sign;
    row.sequenceP().number().ifPresent(value -> p.merge(key, value, Math::min));
    row.mixture()
        .p()
        .number()
        .ifPresent(value -> p.merge(phase + "/" + row.key() + MIXTURE + sign, value, Math::min));
  }
}
