package io.bellwether.trainer.report;

import io.bellwether.ingestion.surface.Signal;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import java.util.List;

/** Whose system it is, when it came about, what it hears, and what it takes. */
record SystemChapter(RewardFacts facts, HumanAnswers answers) {

  RewardReport.Chapter chapter() {
    return new RewardReport.Chapter(
        "System Details", List.of(owner(), dates(), feedback(), resources()));
  }

  private RewardReport.Part owner() {
    return new RewardLines("Owner").human(answers, HumanField.OWNER).part();
  }

  private RewardReport.Part dates() {
    PolicyManifest manifest = facts.manifest();
    RewardLines lines =
        new RewardLines("Dates")
            .add(
                "Made at %s by %s, published at %s as number %d of %s."
                    .formatted(
                        manifest.createdAt(),
                        manifest.createdBy(),
                        facts.version().at(),
                        facts.version().sequence(),
                        facts.version().name()));
    facts
        .released()
        .ifPresentOrElse(
            at -> lines.add("Answers people as challenger or champion since " + at + "."),
            () -> lines.add("Has not been released to people yet."));
    return lines.part();
  }

  private RewardReport.Part feedback() {
    RewardLines lines = new RewardLines("Feedback");
    for (Signal signal : facts.surface().signals()) {
      lines.add(
          "%s, a %s: counts within %s of a decision; several become one by %s."
              .formatted(
                  signal.name(),
                  signal.type() == Signal.Type.FLAG ? "flag" : "number",
                  Durations.words(signal.window()),
                  Figures.words(signal.aggregate().name())));
    }
    return lines.part();
  }

  private RewardReport.Part resources() {
    long bytes = facts.manifest().files().stream().mapToLong(PolicyFile::size).sum();
    return new RewardLines("Resources")
        .add(
            "Learned from %s decisions; its files have %s bytes."
                .formatted(Figures.count(facts.manifest().data().rows()), Figures.count(bytes)))
        .human(answers, HumanField.RESOURCES)
        .part();
  }
}
