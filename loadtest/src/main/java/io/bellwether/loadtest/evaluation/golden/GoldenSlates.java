package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.IndependentIps;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PseudoInverse;
import io.bellwether.evaluation.offpolicy.SelfNormalizedIndependentIps;
import io.bellwether.evaluation.offpolicy.SelfNormalizedSlateIps;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.StandardSlateIps;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.evaluation.slate.PlackettLuce;
import io.bellwether.evaluation.slate.PseudoInverseWeight;
import io.bellwether.evaluation.slate.SlotMarginals;
import io.bellwether.loadtest.evaluation.synthetic.Slates;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Slates ranked by Plackett and Luce's law. */
final class GoldenSlates {
  private static final Map<String, Estimator> WITH_ERROR =
      Map.of(
          "sips", new StandardSlateIps(),
          "iips", new IndependentIps(),
          "rips", new Ips(),
          "pseudo_inverse", new PseudoInverse());

  private static final Map<String, Estimator> VALUE_ONLY =
      Map.of(
          "snsips", new SelfNormalizedSlateIps(),
          "sniips", new SelfNormalizedIndependentIps(),
          "snrips", new Snips());

  /** The reference read its attractions before they were rounded for the file. */
  private static final double ROUNDED_ATTRACTIONS = 1e-4;

  private GoldenSlates() {}

  static List<GoldenRow> of(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "slate_expected.json");
    plackettLuce(sheet);
    tiny(sheet);
    factored(sheet);
    fourHundred(sheet, folder.csv("slate_synthetic.csv"));
    return sheet.rows();
  }

  private static void plackettLuce(GoldenSheet sheet) {
    String path = "/plackett_luce_example";
    int positions = sheet.at(path + "/K").intValue();
    PlackettLuce law = new PlackettLuce(sheet.doubles(path + "/scores"), positions);
    for (int at = 0; at < sheet.at(path + "/slates").size(); at++) {
      String each = path + "/slates/" + at;
      int[] slate = GoldenFolder.integers(sheet.at(each + "/slate"));
      sheet.equal(each + "/prob", () -> Math.exp(law.logJoint(slate)));
      sheet.equalAll(each + "/prefix", () -> prefixes(law, slate));
    }
    SlotMarginals marginals = SlotMarginals.of(law);
    for (int position = 0; position < positions; position++) {
      int at = position;
      sheet.equalAll(
          path + "/position_marginals/" + at,
          () ->
              IntStream.range(0, law.items())
                  .mapToDouble(item -> marginals.chance(at, item))
                  .toArray());
    }
  }

  private static double[] prefixes(PlackettLuce law, int[] slate) {
    double[] prefixes = new double[slate.length];
    law.logPrefixes(slate, prefixes);
    Arrays.setAll(prefixes, position -> Math.exp(prefixes[position]));
    return prefixes;
  }

  private static void tiny(GoldenSheet sheet) {
    double[][][] toGo = new double[sheet.at("/tiny/q_to_go").size()][][];
    Arrays.setAll(toGo, slate -> sheet.matrix("/tiny/q_to_go/" + slate));
    Slates slates =
        new Slates(
            sheet.matrix("/tiny/scores_b"),
            sheet.matrix("/tiny/scores_e"),
            items(sheet.matrix("/tiny/slates")),
            sheet.matrix("/tiny/rewards"),
            toGo);
    sheet.equalAll("/tiny/pi_weights", slates::pseudoInverseWeights);
    probabilities(sheet, slates);
    estimates(sheet, "/tiny/estimators/", slates);
    sheet.equal("/tiny/estimators/cascade_dr/value", () -> cascade(slates));
  }

  /** Joint, prefix and marginal chances of what was shown, position by position. */
  private static void probabilities(GoldenSheet sheet, Slates slates) {
    Map<String, Slates.Law> policies = Map.of("p", slates::loggingLaw, "e", slates::targetLaw);
    policies.forEach(
        (policy, law) -> {
          String rows = "/tiny/per_row/" + policy;
          sheet.equalAll(
              rows + "j",
              () ->
                  slates.ofRows(
                      (slate, at) -> Math.exp(law.of(slate).logJoint(slates.items()[slate]))));
          sheet.equalAll(
              rows + "c",
              () ->
                  slates.ofRows((slate, at) -> prefixes(law.of(slate), slates.items()[slate])[at]));
          sheet.equalAll(
              rows + "m",
              () ->
                  slates.ofRows(
                      (slate, at) ->
                          SlotMarginals.of(law.of(slate)).chance(at, slates.items()[slate][at])));
        });
  }

  private static void factored(GoldenSheet sheet) {
    String path = "/factored_pseudo_inverse";
    double[][] logging = sheet.matrix(path + "/p_logged_per_slot");
    double[][] target = sheet.matrix(path + "/p_target_per_slot");
    double[] reward = sheet.doubles(path + "/slate_reward");
    double[] weights = new double[reward.length];
    Arrays.setAll(weights, at -> PseudoInverseWeight.factored(logging[at], target[at]));
    sheet.equalAll(path + "/weights", () -> weights);
    sheet.equal(
        path + "/pseudo_inverse_factored",
        () ->
            IntStream.range(0, reward.length).mapToDouble(at -> weights[at] * reward[at]).sum()
                / reward.length);
  }

  private static void fourHundred(GoldenSheet sheet, GoldenFolder.Table csv) {
    double[][] attraction = csv.matrix("attr_", 0, 5);
    double[][][] toGo = new double[attraction.length][3][5];
    for (int slate = 0; slate < toGo.length; slate++) {
      for (int position = 0; position < 3; position++) {
        for (int item = 0; item < 5; item++) {
          toGo[slate][position][item] = toGo(position, attraction[slate][item]);
        }
      }
    }
    Slates slates =
        new Slates(
            csv.matrix("score_b_", 0, 5),
            csv.matrix("score_e_", 0, 5),
            items(csv.matrix("item_", 1, 3)),
            csv.matrix("click_", 1, 3),
            toGo);
    estimates(sheet, "/synthetic/estimators/", slates);
    sheet.within(
        ROUNDED_ATTRACTIONS, "/synthetic/estimators/cascade_dr/value", () -> cascade(slates));
  }

  /** The rule in the file's meta block. */
  private static double toGo(int position, double attraction) {
    return Math.round((3 - position) * 0.9 * attraction / 1.3 * 1e4) / 1e4;
  }

  private static void estimates(GoldenSheet sheet, String path, Slates slates) {
    LoggedDecisions log = slates.columns().build();
    WITH_ERROR.forEach(
        (name, estimator) -> sheet.estimate(path + name, () -> estimate(estimator, log)));
    VALUE_ONLY.forEach(
        (name, estimator) ->
            sheet.equal(
                path + name + "/value", () -> estimate(estimator, log).point().orElseThrow()));
  }

  private static double cascade(Slates slates) {
    return estimate(new DoublyRobust(), slates.columns().build()).point().orElseThrow();
  }

  private static Estimate estimate(Estimator estimator, LoggedDecisions log) {
    return Influence.of(estimator, log.underTarget(Slates.CLICK, Weighting.PREFIX))
        .orElseThrow()
        .estimate(log.units());
  }

  private static int[][] items(double[][] numbers) {
    return Arrays.stream(numbers)
        .map(slate -> Arrays.stream(slate).mapToInt(item -> (int) item).toArray())
        .toArray(int[][]::new);
  }
}
