package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.distribution.CdfModel;
import io.bellwether.evaluation.distribution.CdfPoint;
import io.bellwether.evaluation.distribution.DoublyRobustCdf;
import io.bellwether.evaluation.distribution.WeightedCdf;
import io.bellwether.evaluation.distribution.WeightedValues;
import io.bellwether.evaluation.episode.EpisodeEstimator;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.FittedValues;
import io.bellwether.evaluation.episode.Magic;
import io.bellwether.evaluation.episode.MarginalisedStates;
import io.bellwether.evaluation.episode.StepSignal;
import io.bellwether.evaluation.episode.StepValues;
import io.bellwether.evaluation.episode.TabularEpisodes;
import io.bellwether.evaluation.episode.TabularFittedQ;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.loadtest.evaluation.synthetic.Episodes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Episodes of two steps, and of six from a process with known chances. */
final class GoldenEpisodes {
  /** The reference adds 1e-10 to the denominators of weighted estimators. */
  private static final double REFERENCE_NORMALISER = 1e-8;

  private static final double CLOSED = 1e-9;
  private static final double OPTIMISED = 1e-6;

  private static final Map<String, EpisodeEstimator> WITH_ERROR =
      Map.of(
          "dm", EpisodeEstimator.DIRECT,
          "tis", EpisodeEstimator.TRAJECTORY,
          "pdis", EpisodeEstimator.PER_DECISION,
          "dr", EpisodeEstimator.DOUBLY_ROBUST);

  private static final Map<String, EpisodeEstimator> VALUE_ONLY =
      Map.of(
          "sntis", EpisodeEstimator.WEIGHTED_TRAJECTORY,
          "snpdis", EpisodeEstimator.WEIGHTED_PER_DECISION,
          "sndr", EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST);

  private GoldenEpisodes() {}

  static List<GoldenRow> of(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "episode_expected.json");
    Episodes tiny = tiny(sheet);
    estimates(sheet, "/tiny", tiny.steps(), tiny.signal());
    Episodes synthetic = synthetic(sheet, folder.csv("episode_synthetic.csv"));
    estimates(sheet, "/synthetic", synthetic.steps(), synthetic.signal());
    sheet.allWithin(
        OPTIMISED, "/synthetic/weights/ess_by_t", () -> synthetic.steps().effectiveSampleSizes());
    fitted(sheet, synthetic);
    distribution(sheet, synthetic);
    return sheet.rows();
  }

  private static Episodes tiny(GoldenSheet sheet) {
    return new Episodes(
        3,
        sheet.at("/tiny/T").intValue(),
        new int[6],
        GoldenFolder.integers(sheet.at("/tiny/action")),
        sheet.doubles("/tiny/reward"),
        sheet.doubles("/tiny/propensity"),
        sheet.matrix("/tiny/pi_e"),
        sheet.matrix("/tiny/q_hat"),
        sheet.number("/tiny/gamma"));
  }

  private static Episodes synthetic(GoldenSheet sheet, GoldenFolder.Table csv) {
    return new Episodes(
        sheet.at("/synthetic/episodes").intValue(),
        sheet.at("/synthetic/T").intValue(),
        integers(csv.column("state")),
        integers(csv.column("action")),
        csv.column("reward"),
        csv.column("propensity"),
        csv.matrix("pi_e_", 0, 2),
        csv.matrix("q_hat_", 0, 2),
        sheet.number("/synthetic/gamma"));
  }

  private static void estimates(
      GoldenSheet sheet, String path, EpisodeSteps steps, StepSignal signal) {
    WITH_ERROR.forEach(
        (name, estimator) -> {
          String each = path + "/estimators/" + name;
          Estimate found = estimator.of(steps, signal).estimate(steps.units());
          sheet.equal(each + "/value", () -> found.point().orElseThrow());
          sheet.equal(each + "/se_rowwise", () -> found.error().orElseThrow());
        });
    VALUE_ONLY.forEach(
        (name, estimator) ->
            sheet.within(
                REFERENCE_NORMALISER,
                path + "/estimators/" + name + "/value",
                () -> estimator.of(steps, signal).value()));
    magic(sheet, path + "/magic", steps, signal);
  }

  private static void magic(GoldenSheet sheet, String path, EpisodeSteps steps, StepSignal signal) {
    Magic found = Magic.of(steps, signal);
    int last = found.returns().length - 1;
    sheet.allWithin(CLOSED, path + "/g_j", found::returns);
    for (int j = 0; j < found.covariance().length; j++) {
      double[] row = found.covariance()[j];
      sheet.allWithin(CLOSED, path + "/omega/" + j, () -> row);
    }
    sheet.allWithin(CLOSED, path + "/bias", found::bias);
    sheet.allWithin(OPTIMISED, path + "/weights", found::weights);
    sheet.within(OPTIMISED, path + "/magic", found::value);
    sheet.within(CLOSED, path + "/mse_objective", found::meanSquaredError);
    sheet.within(CLOSED, path + "/wdr", () -> found.returns()[last]);
    // The reference holds the normalisers fixed here, as the covariances of the blend do.
    sheet.within(CLOSED, path + "/wdr_se", () -> Math.sqrt(found.covariance()[last][last]));
  }

  private static void fitted(GoldenSheet sheet, Episodes episodes) {
    double[][] policy = sheet.matrix("/synthetic/mdp/pi_e");
    TabularEpisodes log = episodes.tabular(policy.length, policy[0].length);
    TabularFittedQ fitting = new TabularFittedQ(policy, episodes.discount());
    FittedValues values = fitting.finite(log, episode -> true);
    sheet.equal("/synthetic/fqe_full_data_value", () -> fitting.value(values, log));
    for (int state = 0; state < policy.length; state++) {
      double[] ofState = values.actionValues()[0][state];
      sheet.allWithin(CLOSED, "/synthetic/fqe_full_Q_t0/" + state, () -> ofState);
    }
    MarginalisedStates states = MarginalisedStates.of(log, policy, episodes.discount());
    sheet.equal("/synthetic/mis_tabular", states::value);
    for (int step = 0; step < states.density().length; step++) {
      double[] density = states.density()[step];
      sheet.allWithin(CLOSED, "/synthetic/mis_state_density_target/" + step, () -> density);
    }
    crossFitted(sheet, episodes, fitting.crossFitted(log, episode -> episode % 2 == 0).values());
  }

  /** The file's stored values per row, summed up by what differs most from the ones found. */
  private static void crossFitted(GoldenSheet sheet, Episodes episodes, StepValues found) {
    StepValues stored = episodes.signal().values();
    sheet.zero(
        CLOSED,
        "episode_synthetic.csv: q_hat of the logged action, largest difference of all rows",
        () -> largest(episodes, row -> stored.prediction().get(row) - found.prediction().get(row)));
    sheet.zero(
        CLOSED,
        "episode_synthetic.csv: q_hat under the target, largest difference of all rows",
        () -> largest(episodes, row -> stored.direct().get(row) - found.direct().get(row)));
  }

  private interface OfRow {
    double at(int row);
  }

  private static double largest(Episodes episodes, OfRow difference) {
    double largest = 0;
    for (int row = 0; row < episodes.rows(); row++) {
      largest = Math.max(largest, Math.abs(difference.at(row)));
    }
    return largest;
  }

  private static void distribution(GoldenSheet sheet, Episodes episodes) {
    String path = "/distribution";
    WeightedValues returns = episodes.returns();
    WeightedCdf cdf = WeightedCdf.of(returns).orElseThrow();
    for (String name : List.of("0.1", "0.25", "0.5", "0.75", "0.9")) {
      double share = Double.parseDouble(name);
      sheet.equal(path + "/weighted_quantile/" + name, () -> cdf.quantile(share, 0.95).value());
    }
    for (String name : List.of("0.1", "0.25", "0.5", "1.0")) {
      double share = Double.parseDouble(name);
      sheet.equal(path + "/cvar_lower/" + name, () -> cdf.tails(share).get(0).value());
    }
    double[] edges = sheet.doubles(path + "/scope_rl_cdf/reward_grid_right_edges");
    sheet.allWithin(
        CLOSED,
        path + "/scope_rl_cdf/cdf_sntis",
        () -> Arrays.stream(edges).map(edge -> cdf.at(edge).probability()).toArray());
    sheet.allWithin(
        CLOSED,
        path + "/scope_rl_cdf/cdf_tis",
        () ->
            DoublyRobustCdf.of(returns, new NoModel(), edges).orElseThrow().points().stream()
                .mapToDouble(CdfPoint::probability)
                .toArray());
  }

  /** Says that nothing is ever below anything: what is left is the plain weighted share. */
  private record NoModel() implements CdfModel {
    @Override
    public double shown(int decision, double value) {
      return 0;
    }

    @Override
    public double expected(int decision, double value) {
      return 0;
    }
  }

  private static int[] integers(double[] numbers) {
    return Arrays.stream(numbers).mapToInt(number -> (int) number).toArray();
  }
}
