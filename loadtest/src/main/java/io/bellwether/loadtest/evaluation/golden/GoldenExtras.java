package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.distribution.TailMean;
import io.bellwether.evaluation.distribution.WeightedCdf;
import io.bellwether.evaluation.episode.DiscountedDensity;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.WeightedLoggers;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.evaluation.tuning.Slope;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Several loggers, repeated subjects, paired differences, tails, densities and SLOPE. */
final class GoldenExtras {
  private static final double CLOSED = 1e-9;

  private GoldenExtras() {}

  static List<GoldenRow> of(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "extra_expected.json");
    loggers(sheet);
    repeatedSubjects(sheet, GoldenChoices.tiny(folder));
    paired(sheet, GoldenChoices.tiny(folder));
    tails(sheet, GoldenIntervals.weighted(new GoldenSheet(folder, "ci_expected.json")));
    densities(sheet);
    slope(sheet, "/slope_example");
    slope(sheet, "/slope_example_rejecting");
    return sheet.rows();
  }

  private static void loggers(GoldenSheet sheet) {
    String path = "/multiple_loggers/";
    Choices choices = choices(sheet);
    double[] mixture = sheet.doubles(path + "pscore_mixture");
    SingleChoices log =
        SingleChoices.of(
            choices
                .columns()
                .loggers(
                    List.of("first", "second"), GoldenFolder.integers(sheet.at(path + "stratum")))
                .balancedWeight(
                    choices.column(
                        row -> choices.target()[row][choices.item()[row]] / mixture[row])));
    Map<String, Estimator> estimators = Map.of("ips", new Ips(), "dr", new DoublyRobust());
    estimators.forEach(
        (name, estimator) -> {
          String each = path + "estimators/";
          sheet.equal(each + "naive_" + name, () -> log.value(estimator));
          sheet.equal(
              each + "balanced_" + name,
              () ->
                  Influence.of(estimator, log.log().underTarget(Choices.REWARD, Weighting.BALANCED))
                      .orElseThrow()
                      .value());
          sheet.equal(
              each + "weighted_" + name,
              () ->
                  WeightedLoggers.of(estimator, log.columns(), log.log().units())
                      .estimate()
                      .point()
                      .orElseThrow());
        });
  }

  /** Both loggers' probabilities do not depend on context; a row's are its own logger's. */
  private static Choices choices(GoldenSheet sheet) {
    String path = "/multiple_loggers/";
    int[] stratum = GoldenFolder.integers(sheet.at(path + "stratum"));
    double[][] policies = {sheet.doubles(path + "policy_1"), sheet.doubles(path + "policy_2")};
    return new Choices(
        GoldenFolder.integers(sheet.at(path + "action")),
        sheet.doubles(path + "reward"),
        Arrays.stream(stratum).mapToObj(logger -> policies[logger]).toArray(double[][]::new),
        repeated(sheet.doubles(path + "target"), stratum.length),
        repeated(sheet.doubles(path + "q_hat"), stratum.length));
  }

  private static double[][] repeated(double[] row, int times) {
    double[][] rows = new double[times][];
    Arrays.fill(rows, row);
    return rows;
  }

  private static void repeatedSubjects(GoldenSheet sheet, Choices tiny) {
    SingleChoices log = SingleChoices.of(tiny.columns(2));
    Map<String, Estimator> estimators =
        Map.of("ips", new Ips(), "snips", new Snips(), "dr", new DoublyRobust());
    estimators.forEach(
        (name, estimator) ->
            sheet.equal(
                "/cluster_robust_se_ope_tiny/" + name,
                () -> log.estimate(estimator).error().orElseThrow()));
  }

  private static void paired(GoldenSheet sheet, Choices tiny) {
    String path = "/paired_difference_ope_tiny/";
    LoggedDecisions log = tiny.columns().build();
    Influence target =
        Influence.of(new DoublyRobust(), log.underTarget(Choices.REWARD, Weighting.PREFIX))
            .orElseThrow();
    Influence logging =
        Influence.of(new LoggingMean(), log.underTarget(Choices.REWARD, Weighting.PREFIX))
            .orElseThrow();
    Estimate difference = target.combine(1, logging, -1, 0).estimate(log.units());
    Estimate lift = target.relativeTo(logging).estimate(log.units());
    sheet.within(CLOSED, path + "dr_minus_on_policy", () -> difference.point().orElseThrow());
    sheet.equal(path + "se_paired", () -> difference.error().orElseThrow());
    sheet.within(CLOSED, path + "relative_lift", () -> lift.point().orElseThrow());
    sheet.equal(path + "relative_lift_se", () -> lift.error().orElseThrow());
  }

  private static void tails(GoldenSheet sheet, WeightedCdf cdf) {
    String path = "/cvar_with_se_on_ci_weighted_quantile_sample";
    GoldenIntervals.names(sheet, path)
        .forEach(
            (name, share) -> {
              TailMean tail = cdf.tails(share).get(0);
              sheet.equal(path + "/" + name + "/quantile", tail::quantile);
              sheet.equal(path + "/" + name + "/cvar_lower", tail::value);
              sheet.equal(path + "/" + name + "/se", tail::standardError);
            });
  }

  private static void densities(GoldenSheet sheet) {
    String path = "/dice_tabular/";
    double discount = sheet.number(path + "gamma");
    double[] start = sheet.doubles(path + "d0");
    double[][] target = sheet.matrix(path + "pi_e");
    double[][] logging = sheet.matrix(path + "pi_b");
    double[][][] transition = new double[start.length][][];
    Arrays.setAll(transition, state -> sheet.matrix(path + "P/" + state));
    DiscountedDensity ofTarget = DiscountedDensity.of(transition, start, target, discount);
    DiscountedDensity ofLogging = DiscountedDensity.of(transition, start, logging, discount);
    double[][] ratio = ofTarget.ratio(target, ofLogging.ofState(), logging);
    sheet.equalAll(path + "d_e", ofTarget::ofState);
    sheet.equalAll(path + "d_b", ofLogging::ofState);
    for (int state = 0; state < ratio.length; state++) {
      double[] row = ratio[state];
      sheet.equalAll(path + "ratio_sa/" + state, () -> row);
    }
    double[][] reward = sheet.matrix(path + "R");
    double value = ofTarget.value(ratio, ofLogging.ofState(), logging, reward);
    sheet.equal(path + "value_total", () -> value);
    sheet.equal(path + "value_normalised_(1-gamma)", () -> value * (1 - discount));
  }

  private static void slope(GoldenSheet sheet, String path) {
    String candidates = path + "/candidates_sorted_by_decreasing_cnf";
    double[] values = new double[sheet.at(candidates).size()];
    double[] widths = new double[values.length];
    Arrays.setAll(values, at -> sheet.number(candidates + "/" + at + "/value"));
    Arrays.setAll(widths, at -> sheet.number(candidates + "/" + at + "/cnf"));
    sheet.equal(path + "/selected_index", () -> Slope.select(values, widths));
  }
}
