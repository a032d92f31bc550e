package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.report.Scope;
import io.bellwether.evaluation.report.SignalEstimate;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SyntheticLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlateEvaluationTest {

  private static final int DECISIONS = 90;

  @TempDir Path folder;

  /** The policy that made the decisions, to the last bit. */
  private static final class Logger implements TargetPolicy {

    @Override
    public String name() {
      return "logger";
    }

    @Override
    public List<double[]> chances(List<EvaluatedDecision> decisions) {
      return decisions.stream().map(EvaluatedDecision::logging).toList();
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void theLoggingPolicyHasWeightsOfExactlyOneAtEveryPosition(int positions) throws IOException {
    SyntheticLog log = new SyntheticLog(positions);
    SyntheticLog.write(folder, "all", log.transitions(0, DECISIONS));
    EvaluationRequest request =
        EvaluationRequest.of(log.surface(), new ArchiveSource(folder, log.surface().name()))
            .withModelSteps(0);
    EvaluationRecord record =
        new OfflineEvaluation(Clock.systemUTC(), "test", line -> {})
            .evaluate(request, new Logger(), new Logger());
    assertEquals(positions, record.report().diagnostics().targetWeights().size());
    for (WeightDiagnostics at : record.report().diagnostics().targetWeights()) {
      assertEquals(DECISIONS, at.effectiveSampleSize());
      assertEquals(1, at.meanWeight());
      assertEquals(1, at.largest());
    }
    double logged = Objects.requireNonNull(record.logged().get("watch")).mean();
    for (SignalEstimate estimate : record.report().estimates()) {
      if (estimate.signal().equals("watch")
          && estimate.scope().equals(Scope.ALL)
          && estimate.estimator().endsWith("ips")) {
        assertEquals(logged, estimate.estimate().point().orElseThrow(), 1e-12);
      }
    }
  }
}
