package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.IndependentIps;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Mips;
import io.bellwether.evaluation.offpolicy.OffCem;
import io.bellwether.evaluation.offpolicy.PseudoInverse;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.SelfNormalizedIndependentIps;
import io.bellwether.evaluation.offpolicy.SelfNormalizedMips;
import io.bellwether.evaluation.offpolicy.SelfNormalizedSlateIps;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.StandardSlateIps;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.evaluation.tuning.Family;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The estimators that there are, by the names that people ask for them with, and which of them suit
 * a log.
 */
final class Roster {
  private static final List<Shown> WITHOUT_PARAMETERS =
      Stream.of(
              new Ips(),
              new Snips(),
              new DirectMethod(),
              new DoublyRobust(),
              new SelfNormalizedDoublyRobust(),
              new Mips(),
              new SelfNormalizedMips(),
              new OffCem(),
              new StandardSlateIps(),
              new SelfNormalizedSlateIps(),
              new IndependentIps(),
              new SelfNormalizedIndependentIps(),
              new PseudoInverse())
          .map(estimator -> Shown.of(estimator, Weighting.PREFIX))
          .toList();

  private static final List<Shown> BALANCED =
      Stream.of(new Ips(), new DoublyRobust(), new SelfNormalizedDoublyRobust())
          .map(estimator -> Shown.of(estimator, Weighting.BALANCED))
          .toList();

  private static final Set<String> CLUSTERS = Set.of("mips", "snmips", "offcem");
  private static final Set<String> SLATES = Set.of("sips", "snsips", "iips", "sniips", "pi");

  /** Estimators whose values by logging version are joined, each by how sure it is. */
  private static final Map<String, Estimator> WEIGHTED =
      Map.of("weighted-ips", new Ips(), "weighted-dr", new DoublyRobust());

  /** Every name, in the order of a report. */
  static final List<String> NAMES =
      List.of(
          "ips",
          "ips-clipped",
          "sg-ips",
          "snips",
          "dm",
          "dr",
          "sndr",
          "switch-dr",
          "dr-shrunk",
          "dr-clipped",
          "sg-dr",
          "balanced-ips",
          "balanced-dr",
          "balanced-sndr",
          "weighted-ips",
          "weighted-dr",
          "mips",
          "snmips",
          "offcem",
          "sips",
          "snsips",
          "iips",
          "sniips",
          "pi");

  private Roster() {}

  static void requireKnown(List<String> names) {
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "no estimator '%s'; there are %s".formatted(name, String.join(", ", NAMES)));
      }
    }
  }

  /** The estimator of a name that has no parameter; empty for a family. */
  static Optional<Shown> withoutParameter(String name) {
    return Stream.concat(WITHOUT_PARAMETERS.stream(), BALANCED.stream())
        .filter(shown -> shown.name().equals(name))
        .findFirst();
  }

  /** What is estimated by logging version under a name, if the name is of that kind. */
  static Optional<Estimator> byLogger(String name) {
    return Optional.ofNullable(WEIGHTED.get(name));
  }

  /** The family of a name whose parameter is to be chosen. */
  static Optional<Family> family(String name) {
    return Arrays.stream(Family.values()).filter(each -> each.label().equals(name)).findFirst();
  }

  /** Whether a log's decisions are of the kind that an estimator is for. */
  static boolean suits(Shown shown, LoggedDecisions log) {
    String name = shown.estimator().name();
    if (!shown.estimator().suits(log.positions())
        || (shown.weighting() == Weighting.BALANCED && !log.hasBalancedWeights())) {
      return false;
    }
    if (CLUSTERS.contains(name)) {
      return log.positions() == 1;
    }
    return log.positions() > 1 || !SLATES.contains(name);
  }

  /** Whether it reads the weights of the first positions up to each, and no others. */
  static boolean readsPrefixWeights(String name) {
    return !CLUSTERS.contains(name) && !SLATES.contains(name);
  }
}
