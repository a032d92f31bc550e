package io.bellwether.trainer.report;

import java.util.List;

/** Who puts it into use, whom it touches, and what they can do about it. */
record InstitutionChapter(HumanAnswers answers) {

  RewardReport.Chapter chapter() {
    return new RewardReport.Chapter(
        "Institutional Interface",
        List.of(
            new RewardLines("Deployment agency").human(answers, HumanField.DEPLOYMENT).part(),
            new RewardLines("Stakeholders").human(answers, HumanField.STAKEHOLDERS).part(),
            new RewardLines("Explainability")
                .add(
                    "Every decision is logged with its candidates, scores, seed and the chance of"
                        + " each shown item, and can be recomputed by ./bellwether replay.")
                .part(),
            new RewardLines("Recourse").human(answers, HumanField.RECOURSE).part()));
  }
}
