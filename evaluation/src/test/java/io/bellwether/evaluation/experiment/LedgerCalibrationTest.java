package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.report.Bounds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerCalibrationTest {
  private static List<LedgerRow> rows(int right, int wrong) {
    List<LedgerRow> rows = new ArrayList<>();
    Prediction prediction = new Prediction("clicks", "b", 0.1, 0, 0.2);
    for (int row = 0; row < right + wrong; row++) {
      double online = row < right ? 0.15 : -0.1;
      rows.add(
          new LedgerRow(
              prediction,
              Figure.of(online),
              new Bounds.Absent("SHORT"),
              Figure.of(online - prediction.difference()),
              row < right));
    }
    return rows;
  }

  @Test
  void predictionsThatMostlyHoldGoOnDeciding() {
    LedgerCalibration calibration = LedgerCalibration.of(rows(16, 4));
    assertEquals(Figure.of(0.8), calibration.insideShare());
    assertEquals(0.0, calibration.meanError().number().orElseThrow(), 1e-12);
    assertFalse(calibration.advisory());
  }

  @Test
  void predictionsThatOftenFailOnlyAdviseOnceThereAreTwenty() {
    assertTrue(LedgerCalibration.of(rows(15, 5)).advisory());
    assertFalse(LedgerCalibration.of(rows(10, 9)).advisory());
  }

  @Test
  void whatWasNeverMeasuredDoesNotCount() {
    LedgerRow open =
        new LedgerRow(
            new Prediction("clicks", "b", 0.1, 0, 0.2),
            new Figure.Unknown("NOT_MEASURED"),
            new Bounds.Absent("NOT_MEASURED"),
            new Figure.Unknown("NOT_MEASURED"),
            false);
    LedgerCalibration calibration = LedgerCalibration.of(List.of(open));
    assertEquals(0, calibration.measured());
    assertEquals(new Figure.Unknown("NOTHING_MEASURED"), calibration.insideShare());
  }
}
