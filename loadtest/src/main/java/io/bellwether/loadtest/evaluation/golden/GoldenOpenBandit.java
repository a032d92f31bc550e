package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.ClippedIps;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.ShrunkDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.SubGaussianDoublyRobust;
import io.bellwether.evaluation.offpolicy.SubGaussianIps;
import io.bellwether.evaluation.offpolicy.SwitchDoublyRobust;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.support.ActionIndex;
import io.bellwether.evaluation.support.Calibration;
import io.bellwether.evaluation.support.DecisionVectors;
import io.bellwether.evaluation.support.SupportAccumulator;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Four directions of a real log: each campaign under each policy, evaluated for the other one. */
final class GoldenOpenBandit {
  private static final Map<String, Estimator> ESTIMATORS =
      Map.of(
          "ips", new Ips(),
          "ips_clip5", new ClippedIps(5),
          "snips", new Snips(),
          "dm", new DirectMethod(),
          "dr", new DoublyRobust(),
          "sndr", new SelfNormalizedDoublyRobust(),
          "switch_dr5", new SwitchDoublyRobust(5),
          "dr_os25", new ShrunkDoublyRobust(25),
          "sg_ips0.05", new SubGaussianIps(0.05),
          "sg_dr0.05", new SubGaussianDoublyRobust(0.05));

  private record Campaign(String name, int items) {}

  private static final List<Campaign> CAMPAIGNS =
      List.of(new Campaign("men", 34), new Campaign("women", 46));

  private GoldenOpenBandit() {}

  /**
   * @param data the folder that holds {@code bts/} and {@code random/}
   */
  static List<GoldenRow> of(GoldenFolder folder, Path data) {
    GoldenSheet sheet = new GoldenSheet(folder, "obd_expected.json");
    for (Campaign campaign : CAMPAIGNS) {
      direction(sheet, folder, data, campaign, "random", "bts");
      direction(sheet, folder, data, campaign, "bts", "random");
    }
    return sheet.rows();
  }

  private static void direction(
      GoldenSheet sheet,
      GoldenFolder folder,
      Path data,
      Campaign campaign,
      String logging,
      String target) {
    String path = "/results/%s:%s->%s/".formatted(campaign.name, logging, target);
    OpenBanditRows rows = OpenBanditRows.read(data, campaign.name, logging);
    double[][] chances = chances(folder, campaign, target);
    SingleChoices log = SingleChoices.of(rows.columns(chances));
    ESTIMATORS.forEach(
        (name, estimator) -> {
          String each = path + "estimators/" + name;
          sheet.estimate(each, () -> log.estimate(estimator));
          sheet.interval(
              each + "/ci95_normal", () -> SingleChoices.normal(log.estimate(estimator)));
        });
    diagnostics(sheet, path, log);
    gate(sheet, path + "gate_min_lift_0_alpha_0.05/", log);
    positions(sheet, path + "subgroup_by_position_snips/", rows, log);
    if (logging.equals("random")) {
      calibration(sheet, path + "diagnostics/uniform_action_chi2/", rows, campaign.items);
    }
  }

  /** Target probabilities by item and position: uniform, or as the reference stored them. */
  private static double[][] chances(GoldenFolder folder, Campaign campaign, String policy) {
    if (policy.equals("random")) {
      double[][] uniform = new double[campaign.items][3];
      Arrays.stream(uniform).forEach(row -> Arrays.fill(row, 1.0 / campaign.items));
      return uniform;
    }
    return folder.csv("obd_bts_%s_action_dist.csv".formatted(campaign.name)).matrix("pos", 1, 3);
  }

  private static void diagnostics(GoldenSheet sheet, String path, SingleChoices log) {
    WeightDiagnostics found = WeightDiagnostics.of(log.columns(), 0);
    String each = path + "diagnostics/";
    Interval interval = found.meanWeightInterval();
    sheet.equal(each + "mean_w", found::meanWeight);
    sheet.equal(each + "z", found::meanWeightZ);
    sheet.interval(each + "ci95_mean_w", () -> interval);
    sheet.equal(each + "max_w", found::largest);
    sheet.equal(each + "ess", found::effectiveSampleSize);
    sheet.equalAll(
        each + "q50_q90_q99",
        () ->
            new double[] {
              found.median(), found.ninetiethPercentile(), found.ninetyNinthPercentile()
            });
    String histogram = path + "weight_histogram/";
    List<Long> counts = found.histogram();
    sheet.equal(histogram + "zero", found::zeros);
    sheet.equal(histogram + "below_1e-3", () -> counts.get(0));
    sheet.equalAll(
        histogram + "counts_in_[10^j,10^(j+1))",
        () -> counts.subList(1, 8).stream().mapToDouble(Long::doubleValue).toArray());
    sheet.equal(histogram + "at_or_above_1e4", () -> counts.get(8));
  }

  private static void gate(GoldenSheet sheet, String path, SingleChoices log) {
    Influence target = Influence.of(new SelfNormalizedDoublyRobust(), log.columns()).orElseThrow();
    Influence logging = Influence.of(new LoggingMean(), log.columns()).orElseThrow();
    Estimate difference = target.combine(1, logging, -1, 0).estimate(log.log().units());
    sheet.equal(path + "delta_sndr_minus_logging", () -> difference.point().orElseThrow());
    sheet.equal(path + "se_paired", () -> difference.error().orElseThrow());
  }

  private static void positions(
      GoldenSheet sheet, String path, OpenBanditRows rows, SingleChoices log) {
    for (int position = 0; position < 3; position++) {
      int at = position;
      String each = path + (position + 1) + "/";
      DecisionColumns own = log.columns().where(decision -> rows.position()[decision] == at);
      WeightDiagnostics weights = WeightDiagnostics.of(own, 0);
      sheet.equal(each + "n", own::decisions);
      sheet.equal(each + "ess", weights::effectiveSampleSize);
      sheet.equal(each + "value", () -> Influence.of(new Snips(), own).orElseThrow().value());
    }
  }

  private static void calibration(GoldenSheet sheet, String path, OpenBanditRows rows, int items) {
    SupportAccumulator sums =
        new SupportAccumulator(
            ActionIndex.of(IntStream.range(0, items).mapToObj(Integer::toString).toList()));
    DecisionVectors vectors = new DecisionVectors();
    for (int row = 0; row < rows.item().length; row++) {
      double chance = rows.propensity()[row];
      vectors.begin(row, 0, 0);
      for (int item = 0; item < items; item++) {
        vectors.candidate(item, chance, chance);
      }
      sums.add(vectors.shown(rows.item()[row], chance));
    }
    Calibration found = sums.result(List.of("random")).calibration();
    sheet.equal(path + "stat", () -> ((Calibration.Tested) found).statistic());
    sheet.equal(path + "df", () -> ((Calibration.Tested) found).degreesOfFreedom());
    sheet.equal(path + "p", () -> ((Calibration.Tested) found).pValue());
  }
}
