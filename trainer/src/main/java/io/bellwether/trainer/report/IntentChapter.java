package io.bellwether.trainer.report;

import io.bellwether.ingestion.surface.Constraint;
import java.util.List;
import java.util.Locale;

/** What the policy is told to want, what it must not do, and what may go wrong. */
record IntentChapter(RewardFacts facts, HumanAnswers answers) {

  RewardReport.Chapter chapter() {
    return new RewardReport.Chapter(
        "Optimization Intent", List.of(goal(), performance(), oversight(), failureModes()));
  }

  private RewardReport.Part goal() {
    double discount = facts.surface().objective().discount();
    return new RewardLines("Goal")
        .add(
            "Maximise %s%s."
                .formatted(
                    facts.surface().objective().signal(),
                    discount == 0
                        ? " per decision; every decision stands for itself"
                        : " over a session, the next decision counting "
                            + Figures.number(discount)
                            + " of this one"))
        .human(answers, HumanField.PURPOSE)
        .part();
  }

  private RewardReport.Part performance() {
    RewardLines lines = new RewardLines("Performance metrics");
    lines.add(facts.surface().objective().signal() + " per decision, against the champion.");
    return lines.part();
  }

  private RewardReport.Part oversight() {
    RewardLines lines = new RewardLines("Oversight metrics");
    List<Constraint> promises = facts.surface().constraints();
    if (promises.isEmpty()) {
      lines.add("The surface declares no promise: nothing bounds what the objective may cost.");
    }
    promises.forEach(
        promise ->
            lines.add(
                promise.words()
                    + ": trained for, gated offline by a confidence bound, guarded online."));
    return lines.part();
  }

  private RewardReport.Part failureModes() {
    return new RewardLines("Failure modes")
        .add(
            "Where the policy cannot answer in %s: %s; the answer says so."
                .formatted(
                    Durations.words(facts.surface().deadline()),
                    facts.surface().fallback().isEmpty()
                        ? "the candidates as they were given"
                        : String.join(
                            ", then ",
                            facts.surface().fallback().stream()
                                .map(each -> Figures.words(each.name().toLowerCase(Locale.ROOT)))
                                .toList())))
        .human(answers, HumanField.FAILURE_MODES)
        .part();
  }
}
