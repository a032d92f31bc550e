package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.ShrunkDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which estimators a report shows, by the names that people ask for them with. */
final class Roster {
  private static final Map<String, Estimator> WITHOUT_PARAMETERS =
      Map.of(
          "ips", new Ips(),
          "snips", new Snips(),
          "dm", new DirectMethod(),
          "dr", new DoublyRobust(),
          "sndr", new SelfNormalizedDoublyRobust(),
          "dr-shrunk", new ShrunkDoublyRobust(25));

  /** Every name, in the order of a report. */
  static final List<String> NAMES =
      List.of("ips", "ips-clipped", "snips", "dm", "dr", "sndr", "switch-dr", "dr-shrunk");

  private Roster() {}

  static void requireKnown(List<String> names) {
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "no estimator '%s'; there are %s".formatted(name, String.join(", ", NAMES)));
      }
    }
  }

  static List<Estimator> of(EvaluationPlan plan) {
    List<Estimator> estimators = new ArrayList<>();
    for (String name : plan.shown()) {
      plan.fixed().stream()
          .filter(each -> each.name().equals(name))
          .findFirst()
          .or(() -> Optional.ofNullable(WITHOUT_PARAMETERS.get(name)))
          .ifPresent(estimators::add);
    }
    return estimators;
  }
}
