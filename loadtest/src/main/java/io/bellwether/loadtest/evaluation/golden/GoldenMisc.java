package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.interval.MultipleComparisons;
import io.bellwether.evaluation.interval.SampleSize;
import io.bellwether.evaluation.support.ActionIndex;
import io.bellwether.evaluation.support.Calibration;
import io.bellwether.evaluation.support.DecisionVectors;
import io.bellwether.evaluation.support.SupportAccumulator;
import java.util.List;
import java.util.Locale;

/** Several questions at once, how long a log has to be, and whether propensities are right. */
final class GoldenMisc {
  private GoldenMisc() {}

  static List<GoldenRow> of(GoldenFolder folder) {
    GoldenSheet sheet = new GoldenSheet(folder, "misc_expected.json");
    double[] p = sheet.doubles("/multiple_comparisons/p_sorted");
    for (MultipleComparisons method : MultipleComparisons.values()) {
      sheet.equalAll(
          "/multiple_comparisons/" + method.name().toLowerCase(Locale.ROOT),
          () -> method.adjust(p));
    }
    power(sheet);
    calibration(sheet);
    return sheet.rows();
  }

  private static void power(GoldenSheet sheet) {
    String path = "/power/ope_log_size";
    for (int at = 0; at < sheet.at(path).size(); at++) {
      String row = path + "/" + at + "/";
      SampleSize size =
          SampleSize.oneSided(sheet.number(row + "alpha_one_sided"), sheet.number(row + "power"));
      sheet.equal(
          row + "n",
          () -> size.decisions(sheet.number(row + "sd_rowwise"), sheet.number(row + "delta")));
    }
  }

  /**
   * The file has sums only. Six hundred decisions with chances (0.2, 0.2, 0.6) and four hundred
   * with (0.5, 0.3, 0.2) have exactly its expected counts and covariance.
   */
  private static void calibration(GoldenSheet sheet) {
    String path = "/propensity_calibration/";
    double[][] chances = {{0.2, 0.2, 0.6}, {0.5, 0.3, 0.2}};
    int[] observed = GoldenFolder.integers(sheet.at(path + "observed"));
    SupportAccumulator sums = new SupportAccumulator(ActionIndex.of(List.of("0", "1", "2")));
    DecisionVectors vectors = new DecisionVectors();
    int decision = 0;
    for (int item = 0; item < observed.length; item++) {
      for (int shown = 0; shown < observed[item]; shown++) {
        double[] own = chances[decision < 600 ? 0 : 1];
        vectors.begin(decision++, 0, 0);
        for (int each = 0; each < own.length; each++) {
          vectors.candidate(each, own[each], own[each]);
        }
        sums.add(vectors.shown(item, own[item]));
      }
    }
    Calibration found = sums.result(List.of("logger")).calibration();
    sheet.equal(path + "chi2_score", () -> ((Calibration.Tested) found).statistic());
    sheet.equal(path + "df", () -> ((Calibration.Tested) found).degreesOfFreedom());
    sheet.equal(path + "p", () -> ((Calibration.Tested) found).pValue());
  }
}
