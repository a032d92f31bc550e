package io.bellwether.loadtest.evaluation.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.interval.EmpiricalBernstein;
import io.bellwether.evaluation.interval.Hoeffding;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.CostVector;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.EmbeddingRatio;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Mips;
import io.bellwether.evaluation.offpolicy.OffCem;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.SelfNormalizedMips;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.tuning.Candidate;
import io.bellwether.evaluation.tuning.Family;
import io.bellwether.evaluation.tuning.Rule;
import io.bellwether.evaluation.tuning.Tuning;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Decisions for one item: eight rows that can be followed by hand, and six hundred. */
final class GoldenChoices {
  private static final Map<String, Family> FAMILIES =
      Map.of(
          "ips_clip", Family.IPS_CLIPPED,
          "dr_clip", Family.DR_CLIPPED,
          "switch_dr", Family.SWITCH_DR,
          "dr_os", Family.DR_SHRUNK,
          "sg_ips", Family.SG_IPS,
          "sg_dr", Family.SG_DR);

  private static final List<String> PLAIN = List.of("ips", "snips", "dm", "dr", "sndr");

  private GoldenChoices() {}

  static Choices tiny(GoldenFolder folder) {
    JsonNode data = folder.json("ope_tiny.json").get("data");
    return new Choices(
        GoldenFolder.integers(data.get("action")),
        GoldenFolder.doubles(data.get("reward")),
        GoldenFolder.matrix(data.get("pi_b")),
        GoldenFolder.matrix(data.get("pi_e")),
        GoldenFolder.matrix(data.get("q_hat")));
  }

  /** Target vectors are normalised after reading, as the file's source did. */
  static Choices sixHundred(GoldenFolder folder) {
    GoldenFolder.Table csv = folder.csv("ope_synthetic.csv");
    double[][] target = csv.matrix("pi_e_", 0, 5);
    for (double[] row : target) {
      double sum = Arrays.stream(row).sum();
      Arrays.setAll(row, at -> row[at] / sum);
    }
    return new Choices(
        Arrays.stream(csv.column("action")).mapToInt(action -> (int) action).toArray(),
        csv.column("reward"),
        csv.matrix("pi_b_", 0, 5),
        target,
        csv.matrix("q_hat_", 0, 5));
  }

  static List<GoldenRow> ofTiny(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "ope_tiny.json");
    Choices tiny = tiny(folder);
    SingleChoices log = SingleChoices.of(tiny.columns());
    sheet.equalAll("/weights", () -> tiny.column(tiny::weight));
    for (String name : PLAIN) {
      compare(sheet, "/estimators/" + name, estimator(name), log);
    }
    for (String name : FAMILIES.keySet()) {
      String path = "/estimators/" + name;
      compare(sheet, path, FAMILIES.get(name).with(sheet.number(path + "/lambda")), log);
    }
    diagnostics(sheet, log);
    embeddings(sheet, tiny);
    onlineLearners(sheet, tiny);
    return sheet.rows();
  }

  private static void compare(
      GoldenSheet sheet, String path, Estimator estimator, SingleChoices log) {
    sheet.estimate(path, () -> log.estimate(estimator));
    sheet.equalAll(path + "/rows", () -> log.rows(estimator));
  }

  private static void embeddings(GoldenSheet sheet, Choices tiny) {
    EmbeddingRatio clusters =
        EmbeddingRatio.ofClusters(
            GoldenFolder.integers(sheet.at("/embeddings/deterministic_cluster/cluster_of_action")));
    EmbeddingRatio drawn =
        EmbeddingRatio.ofChances(sheet.matrix("/embeddings/stochastic/p_e_given_a"));
    double[] ofClusters =
        weights(clusters, tiny, sheet.at("/embeddings/deterministic_cluster/observed"));
    double[] ofDrawn = weights(drawn, tiny, sheet.at("/embeddings/stochastic/observed"));
    sheet.equalAll("/mips/weights_deterministic_cluster", () -> ofClusters);
    sheet.equalAll("/mips/weights_stochastic", () -> ofDrawn);
    SingleChoices byClusters = SingleChoices.of(tiny.columns().clusterWeight(ofClusters));
    SingleChoices byDrawn = SingleChoices.of(tiny.columns().clusterWeight(ofDrawn));
    value(sheet, "/mips/mips_deterministic_cluster", new Mips(), byClusters);
    value(sheet, "/mips/snmips_deterministic_cluster", new SelfNormalizedMips(), byClusters);
    value(sheet, "/mips/mips_stochastic", new Mips(), byDrawn);
    value(sheet, "/mips/snmips_stochastic", new SelfNormalizedMips(), byDrawn);
    compare(sheet, "/mips/offcem", new OffCem(), byClusters);
  }

  private static void value(
      GoldenSheet sheet, String path, Estimator estimator, SingleChoices log) {
    sheet.equal(path + "/value", () -> log.estimate(estimator).point().orElseThrow());
    sheet.equalAll(path + "/rows", () -> log.rows(estimator));
  }

  private static double[] weights(EmbeddingRatio ratio, Choices tiny, JsonNode observed) {
    return tiny.column(
        row ->
            ratio
                .of(tiny.target()[row], tiny.logging()[row], observed.get(row).intValue())
                .orElseThrow());
  }

  private static void onlineLearners(GoldenSheet sheet, Choices tiny) {
    double[] halved = tiny.column(row -> tiny.reward()[row] / 2);
    SingleChoices log =
        SingleChoices.of(
            tiny.columns().signal(Choices.REWARD, LoggedDecisions.Signal.withoutModel(halved)));
    String learners = "/vw_estimators/";
    sheet.equal(learners + "ips/estimate", () -> log.estimate(new Ips()).point().orElseThrow());
    sheet.equal(learners + "snips/estimate", () -> log.estimate(new Snips()).point().orElseThrow());
    sheet.interval(
        learners + "gaussian/interval_alpha_0.05",
        () -> SingleChoices.normal(log.estimate(new Ips())));
    String costs = "/vw_cost_vectors/";
    double[] predicted = sheet.doubles(costs + "predicted_costs");
    int logged = sheet.at(costs + "logged_action").intValue();
    double cost = sheet.number(costs + "cost");
    double propensity = sheet.number(costs + "p");
    sheet.equalAll(costs + "ips", () -> CostVector.ips(3, logged, cost, propensity));
    sheet.equalAll(costs + "dm", () -> CostVector.direct(predicted));
    sheet.equalAll(
        costs + "dr", () -> CostVector.doublyRobust(predicted, logged, cost, propensity));
  }

  static List<GoldenRow> ofSixHundred(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "ope_synthetic_expected.json");
    SingleChoices log = SingleChoices.of(sixHundred(folder).columns());
    for (String name : PLAIN) {
      withInterval(sheet, "/estimators/" + name, estimator(name), log);
    }
    for (String name : FAMILIES.keySet()) {
      String path = "/estimators/" + name;
      withInterval(sheet, path, FAMILIES.get(name).with(sheet.number(path + "/lambda")), log);
      tuning(sheet, "/tuning/" + name, FAMILIES.get(name), log);
    }
    diagnostics(sheet, log);
    lowerBounds(sheet, log);
    return sheet.rows();
  }

  private static void withInterval(
      GoldenSheet sheet, String path, Estimator estimator, SingleChoices log) {
    sheet.estimate(path, () -> log.estimate(estimator));
    sheet.interval(path + "/ci95_normal", () -> SingleChoices.normal(log.estimate(estimator)));
  }

  private static void tuning(GoldenSheet sheet, String path, Family family, SingleChoices log) {
    Tuning tuning =
        Tuning.of(family, family.grid(), log.columns(), log.log().units()).orElseThrow();
    int count = sheet.at(path + "/candidates").size();
    for (int at = 0; at < count; at++) {
      String each = path + "/candidates/" + at;
      double parameter = GoldenSheet.value(sheet.at(each + "/lambda"));
      sheet.equal(each + "/value", () -> candidate(tuning, parameter).value());
      sheet.equal(each + "/cnf_t_delta0.1", () -> candidate(tuning, parameter).halfWidth());
      sheet.equal(each + "/mse_direct", () -> candidate(tuning, parameter).meanSquaredError());
      sheet.equal(each + "/mse_ub", () -> candidate(tuning, parameter).boundedMeanSquaredError());
    }
    selected(sheet, path + "/selected/mse_direct", tuning.selected(Rule.DIRECT_MSE));
    selected(sheet, path + "/selected/mse_ub", tuning.selected(Rule.BOUNDED_MSE));
    selected(sheet, path + "/selected/slope", tuning.selected(Rule.SLOPE));
  }

  private static Candidate candidate(Tuning tuning, double parameter) {
    return tuning.candidates().stream()
        .filter(each -> each.parameter() == parameter)
        .findFirst()
        .orElseThrow();
  }

  /** Which parameter was taken shows in the value: no two of a family are equal. */
  private static void selected(GoldenSheet sheet, String path, Candidate found) {
    sheet.equal(path + "/value", found::value);
  }

  private static void lowerBounds(GoldenSheet sheet, SingleChoices log) {
    String path = "/lower_bounds_ips/";
    double[] rows = log.rows(new Ips());
    double largest = sheet.number(path + "x_max_used");
    Estimate.Estimated ips = (Estimate.Estimated) log.estimate(new Ips());
    double variance = ips.standardError() * ips.standardError() * rows.length;
    sheet.equal(
        path + "hoeffding_lower_delta0.05",
        () -> new Hoeffding(rows.length, ips.value(), largest).lower(0.05));
    sheet.equal(
        path + "bernstein_lower_delta0.05",
        () -> new EmpiricalBernstein(rows.length, ips.value(), variance, largest).lower(0.05));
    sheet.equal(
        path + "student_t_lower_delta0.05",
        () -> Interval.student(ips.value(), ips.standardError(), rows.length - 1.0, 0.9).lower());
  }

  private static void diagnostics(GoldenSheet sheet, SingleChoices log) {
    String path = "/diagnostics/";
    WeightDiagnostics found = WeightDiagnostics.of(log.columns(), 0);
    double n = found.decisions();
    Interval interval = found.meanWeightInterval();
    sheet.equal(path + "n", () -> n);
    sheet.equal(path + "mean_w", found::meanWeight);
    sheet.equal(path + "z_mean_w_minus_1", found::meanWeightZ);
    sheet.interval(path + "ci95_mean_w", () -> interval);
    sheet.equal(path + "max_w", found::largest);
    sheet.equal(path + "ess", found::effectiveSampleSize);
    sheet.equal(path + "ess_ratio", () -> found.effectiveSampleSize() / n);
    sheet.equal(path + "share_top_1pct_weight", found::topPercentShare);
    sheet.equal(path + "frac_zero_w", () -> found.zeros() / n);
    sheet.equalAll(
        path + "q50_q90_q99_w",
        () ->
            new double[] {
              found.median(), found.ninetiethPercentile(), found.ninetyNinthPercentile()
            });
  }

  private static Estimator estimator(String name) {
    return switch (name) {
      case "ips" -> new Ips();
      case "snips" -> new Snips();
      case "dm" -> new DirectMethod();
      case "dr" -> new DoublyRobust();
      case "sndr" -> new SelfNormalizedDoublyRobust();
      default -> throw new IllegalArgumentException(name);
    };
  }
}
