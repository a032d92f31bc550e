package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.evaluation.report.InvalidDataException;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.InvalidTrainingData;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.OfflineEvaluation;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Failures that are seen where an archive is read: the whole way from files to a verdict.
 *
 * @param work an empty folder
 */
record ArchivedFailures(Path work, long seed) {
  private static final int FEW = 60;
  private static final int MANY = 2_400;
  private static final FixedTarget TARGET = new FixedTarget(0.9);

  List<PlantedFailure> all() {
    return List.of(
        new PlantedFailure(
            "an archive that holds each of few decisions forty times",
            "DUPLICATE_DECISION",
            () -> outcome("twice", FEW, MANY / FEW, transition -> transition)),
        new PlantedFailure(
            "an archive that is mostly answers of a fallback",
            "FALLBACK_ROWS",
            () -> outcome("fallback", MANY, 1, ArchivedFailures::fallback)),
        new PlantedFailure(
            "archived propensities that do not follow from the scores",
            Finding.PROPENSITY_MISMATCH.name(),
            () -> outcome("mismatch", MANY, 1, transition -> withPropensity(transition, 0.4))),
        new PlantedFailure(
            "archived propensities of 0",
            Finding.WRONG_PROPENSITY.name(),
            () -> outcome("zero", MANY, 1, transition -> withPropensity(transition, 0))));
  }

  private static Transition fallback(Transition transition) {
    long number = transition.getDecision().getDecidedAtMicros() % MANY;
    transition.getDecision().setLearnable(number < FEW);
    return transition;
  }

  private static Transition withPropensity(Transition transition, double propensity) {
    Placement shown = transition.getDecision().getSlate().get(0);
    transition
        .getDecision()
        .setSlate(List.of(new Placement(shown.getCandidate(), shown.getItemId(), propensity)));
    return transition;
  }

  private Outcome outcome(String name, int people, int times, UnaryOperator<Transition> change)
      throws Exception {
    ShopArchive shop = ShopArchive.in(work.resolve(name));
    shop.write(people, times, change);
    EvaluationRequest request =
        EvaluationRequest.of(shop.surface(), shop.source())
            .withModelSteps(0)
            .withReplicates(0)
            .withSeed(seed);
    OfflineEvaluation evaluation =
        new OfflineEvaluation(Clock.systemUTC(), "benchmark", line -> {});
    try {
      return Outcome.of(evaluation.evaluate(request, TARGET).report());
    } catch (InvalidTrainingData e) {
      return new Outcome(Outcome.INVALID, found(e));
    } catch (InvalidDataException e) {
      return Outcome.of(e);
    }
  }

  /** The exception says it in words. */
  private static List<String> found(InvalidTrainingData refusal) {
    return Arrays.stream(Finding.values())
        .filter(each -> String.valueOf(refusal.getMessage()).contains(each.words()))
        .map(Enum::name)
        .toList();
  }
}
