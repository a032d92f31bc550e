package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.distribution.CdfPoint;
import io.bellwether.evaluation.distribution.WeightedCdf;
import io.bellwether.evaluation.distribution.WeightedValues;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.BettingInterval;
import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.EmpiricalBernstein;
import io.bellwether.evaluation.interval.EmpiricalBernsteinSequence;
import io.bellwether.evaluation.interval.Hoeffding;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.JackknifeAcceleration;
import io.bellwether.evaluation.interval.Normal;
import io.bellwether.evaluation.interval.Simultaneous;
import io.bellwether.evaluation.interval.TwoSidedEmpiricalBernsteinSequence;
import io.bellwether.evaluation.offpolicy.Ips;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Intervals and bounds of every kind. */
final class GoldenIntervals {
  private static final double CLOSED = 1e-9;

  /** The reference searched a grid with this step. */
  private static final double GRID = 0.002;

  private static final double LEVEL = 0.95;
  private static final double ALPHA = 0.05;

  private GoldenIntervals() {}

  static List<GoldenRow> of(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "ci_expected.json");
    double[] rows = SingleChoices.of(GoldenChoices.sixHundred(folder).columns()).rows(new Ips());
    ofSample(sheet);
    sequences(sheet, rows);
    truncated(sheet, "/ope_lower_bounds/truncated_empirical_bernstein_lower_by_c", rows);
    truncated(sheet, "/truncated_empirical_bernstein_lower", sheet.doubles("/weighted_rewards"));
    bootstrap(sheet);
    simultaneous(sheet, folder);
    quantiles(sheet);
    return sheet.rows();
  }

  private static void ofSample(GoldenSheet sheet) {
    String path = "/intervals/";
    double[] sample = sheet.doubles("/sample");
    int n = sample.length;
    double mean = mean(sample);
    double error = Math.sqrt(variance(sample) / n);
    sheet.equal(path + "mean", () -> mean);
    sheet.interval(path + "normal", () -> Interval.normal(mean, error, LEVEL));
    sheet.interval(path + "student_t", () -> Interval.student(mean, error, n - 1.0, LEVEL));
    Hoeffding hoeffding = new Hoeffding(n, mean, 1);
    sheet.interval(path + "hoeffding_two_sided", () -> hoeffding.interval(LEVEL));
    sheet.equal(path + "hoeffding_lower_one_sided", () -> hoeffding.lower(ALPHA));
    EmpiricalBernstein bernstein = new EmpiricalBernstein(n, mean, variance(sample), 1);
    sheet.interval(path + "empirical_bernstein_two_sided", () -> bernstein.interval(LEVEL));
    sheet.equal(path + "empirical_bernstein_lower_one_sided", () -> bernstein.lower(ALPHA));
    Interval betting = BettingInterval.of(sample, LEVEL);
    sheet.allWithin(
        GRID,
        path + "betting_ci_confseq_breaks1000",
        () -> new double[] {betting.lower(), betting.upper()});
    twoSided(sheet, sample);
  }

  private static void twoSided(GoldenSheet sheet, double[] sample) {
    String path = "/intervals/predmix_empbern_cs_confseq_at_10_20_30/";
    TwoSidedEmpiricalBernsteinSequence sequence = new TwoSidedEmpiricalBernsteinSequence(LEVEL);
    double[] lower = new double[3];
    double[] upper = new double[3];
    for (int row = 0; row < sample.length; row++) {
      sequence.add(sample[row]);
      if (row % 10 == 9) {
        lower[row / 10] = sequence.best().lower();
        upper[row / 10] = sequence.best().upper();
      }
    }
    sheet.allWithin(CLOSED, path + "lower", () -> lower);
    sheet.allWithin(CLOSED, path + "upper", () -> upper);
    sheet.interval("/intervals/predmix_empbern_ci_confseq", sequence::latest);
  }

  private static void sequences(GoldenSheet sheet, double[] rows) {
    String path = "/ope_lower_bounds/";
    int[] looks = {100, 300, 600};
    sheet.equal(path + "ips", () -> mean(rows));
    sheet.allWithin(CLOSED, path + "predmix_lower_at_100_300_600", () -> lowers(rows, looks));
    sheet.allWithin(
        CLOSED,
        path + "asymptotic_cs_one_sided_lower_t*1000_at_100_300_600",
        () -> Arrays.stream(looks).mapToDouble(look -> asymptotic(rows, look)).toArray());
    double[] few = sheet.doubles("/weighted_rewards");
    sheet.equalAll("/predmix_lower_cs/at_5_10_15_20", () -> lowers(few, new int[] {5, 10, 15, 20}));
    EmpiricalBernsteinSequence all = new EmpiricalBernsteinSequence(ALPHA);
    Arrays.stream(few).forEach(all::add);
    sheet.equal("/predmix_lower_cs/running_max_at_20", all::best);
  }

  private static double[] lowers(double[] rows, int[] looks) {
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(ALPHA);
    double[] lowers = new double[looks.length];
    int look = 0;
    for (int row = 0; look < looks.length; row++) {
      sequence.add(rows[row]);
      if (row + 1 == looks[look]) {
        lowers[look++] = sequence.lower();
      }
    }
    return lowers;
  }

  private static double asymptotic(double[] rows, int count) {
    double[] seen = Arrays.copyOf(rows, count);
    double error = Math.sqrt(variance(seen) / count);
    return mean(seen) - new AsymptoticSequence(ALPHA, 1000).oneSidedMargin(count, error);
  }

  private static void truncated(GoldenSheet sheet, String path, double[] rows) {
    sheet
        .at(path)
        .fieldNames()
        .forEachRemaining(
            name -> {
              double cap = Double.parseDouble(name);
              double[] cut = Arrays.stream(rows).map(row -> Math.min(row, cap)).toArray();
              sheet.equal(
                  path + "/" + name,
                  () ->
                      new EmpiricalBernstein(cut.length, mean(cut), variance(cut), cap)
                          .lower(ALPHA));
            });
  }

  private static void bootstrap(GoldenSheet sheet) {
    double[] y = sheet.doubles("/bootstrap/y");
    double[] ones = new double[y.length];
    Arrays.fill(ones, 1);
    bootstrap(sheet, "/bootstrap/mean", y, ones);
    bootstrap(sheet, "/bootstrap/ratio_sum_wy_over_sum_w", y, sheet.doubles("/bootstrap/w"));
  }

  /** From the file's own resamples. */
  private static void bootstrap(GoldenSheet sheet, String path, double[] y, double[] w) {
    double[][] indices = sheet.matrix("/bootstrap/indices");
    double[] all = IntStream.range(0, y.length).asDoubleStream().toArray();
    double theta = ratio(y, w, all);
    JackknifeAcceleration jackknife = new JackknifeAcceleration(theta, y.length);
    for (double row : all) {
      jackknife.add(ratio(y, w, Arrays.stream(all).filter(other -> other != row).toArray()));
    }
    BootstrapDistribution found =
        new BootstrapDistribution(
            theta,
            Arrays.stream(indices).mapToDouble(drawn -> ratio(y, w, drawn)).toArray(),
            jackknife.value());
    sheet.equal(path + "/theta", found::theta);
    sheet.equal(path + "/z0", found::biasCorrection);
    sheet.equal(path + "/acceleration", found::acceleration);
    sheet.equal(path + "/boot_se", found::standardError);
    sheet.interval(path + "/percentile", () -> found.percentile(LEVEL));
    sheet.interval(path + "/bca", () -> found.bca(LEVEL));
  }

  private static double ratio(double[] y, double[] w, double[] drawn) {
    double numerator = 0;
    double denominator = 0;
    for (double index : drawn) {
      numerator += w[(int) index] * y[(int) index];
      denominator += w[(int) index];
    }
    return numerator / denominator;
  }

  private static void simultaneous(GoldenSheet sheet, GoldenFolder folder) {
    String path = "/simultaneous/";
    double[][] correlation = sheet.matrix(path + "corr");
    sheet.equal(path + "z_pointwise", () -> Normal.quantile(0.975));
    sheet.equal(
        path + "z_bonferroni", () -> Simultaneous.BONFERRONI.critical(LEVEL, correlation, 1));
    sheet.equal(path + "z_sidak", () -> Simultaneous.SIDAK.critical(LEVEL, correlation, 1));
    sheet.within(
        sheet.number(path + "mc_tolerance_z"),
        path + "z_max_t_mc",
        () -> Simultaneous.MAX_T.critical(LEVEL, correlation, 1));
    GoldenFolder.Table csv = folder.csv(sheet.at(path + "file").textValue());
    double[][] signals = {
      csv.column("reward_row"), csv.column("cost_row"), csv.column("complaint_row")
    };
    double each = Interval.simultaneousLevel(LEVEL, signals.length);
    sheet.equalAll(
        path + "mean", () -> Arrays.stream(signals).mapToDouble(GoldenIntervals::mean).toArray());
    sheet.equalAll(
        path + "se", () -> Arrays.stream(signals).mapToDouble(GoldenIntervals::error).toArray());
    for (int at = 0; at < signals.length; at++) {
      double[] signal = signals[at];
      sheet.interval(
          path + "bonferroni_ci/" + at, () -> Interval.normal(mean(signal), error(signal), each));
    }
  }

  private static void quantiles(GoldenSheet sheet) {
    String path = "/weighted_quantile";
    WeightedCdf cdf = weighted(sheet);
    names(sheet, path + "/q")
        .forEach(
            (name, share) ->
                sheet.equal(path + "/q/" + name, () -> cdf.quantile(share, LEVEL).value()));
    names(sheet, path + "/cdf_and_se_at")
        .forEach(
            (name, value) -> {
              CdfPoint point = cdf.at(value);
              sheet.equalAll(
                  path + "/cdf_and_se_at/" + name,
                  () -> new double[] {point.probability(), point.standardError()});
            });
  }

  /** The ten weighted numbers whose distribution two files speak of. */
  static WeightedCdf weighted(GoldenSheet sheet) {
    return WeightedCdf.of(
            WeightedValues.of(
                sheet.doubles("/weighted_quantile/w"), sheet.doubles("/weighted_quantile/y")))
        .orElseThrow();
  }

  static Map<String, Double> names(GoldenSheet sheet, String path) {
    Map<String, Double> names = new TreeMap<>();
    sheet.at(path).fieldNames().forEachRemaining(name -> names.put(name, Double.valueOf(name)));
    return names;
  }

  private static double mean(double[] values) {
    return CompensatedSums.of(values) / values.length;
  }

  private static double error(double[] values) {
    return Math.sqrt(variance(values) / values.length);
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return CompensatedSums.of(
            Arrays.stream(values).map(value -> (value - mean) * (value - mean)).toArray())
        / (values.length - 1);
  }
}
