package io.bellwether.loadtest.evaluation.speed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.SwitchDoublyRobust;
import io.bellwether.evaluation.offpolicy.UnitBootstrap;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process of its own that evaluates {@link Rounds}: from files to values with bootstrap
 * intervals. Prints one JSON object with the seconds of its last log and the largest resident
 * memory of the process.
 */
public final class EvaluateRounds {
  static final double LIMIT = 10;
  private static final double LEVEL = 0.95;

  private static final List<Estimator> ESTIMATORS =
      List.of(
          new Ips(),
          new Snips(),
          new DirectMethod(),
          new DoublyRobust(),
          new SwitchDoublyRobust(LIMIT));

  private EvaluateRounds() {}

  /**
   * Arguments: folder, rounds, actions, replicates, seed; and the same five again for each log that
   * is evaluated after it.
   */
  public static void main(String[] arguments) throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    for (int at = 0; at < arguments.length; at += 5) {
      result = evaluate(List.of(arguments).subList(at, at + 5));
    }
    System.out.println(result.put("peakMemoryGib", ResidentMemory.peakGib()));
  }

  private static ObjectNode evaluate(List<String> arguments) throws IOException {
    long start = System.nanoTime();
    Rounds rounds =
        new Rounds(
            Path.of(arguments.get(0)),
            Integer.parseInt(arguments.get(1)),
            Integer.parseInt(arguments.get(2)));
    UnitBootstrap bootstrap =
        new UnitBootstrap(Long.parseLong(arguments.get(4)), Integer.parseInt(arguments.get(3)));
    LoggedDecisions log = rounds.logged();
    DecisionColumns columns = log.underTarget(Rounds.REWARD, Weighting.PREFIX);
    List<Optional<BootstrapDistribution>> distributions =
        bootstrap.of(ESTIMATORS, columns, log.units());
    ObjectNode result = new ObjectMapper().createObjectNode();
    ObjectNode values = result.putObject("estimates");
    for (int at = 0; at < ESTIMATORS.size(); at++) {
      BootstrapDistribution each = distributions.get(at).orElseThrow();
      Interval interval = each.percentile(LEVEL);
      values
          .putObject(ESTIMATORS.get(at).name())
          .put("value", each.theta())
          .put("lower", interval.lower())
          .put("upper", interval.upper());
    }
    return result.put("seconds", (System.nanoTime() - start) / 1e9);
  }
}
