package io.bellwether.trainer.report;

import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyManifest;
import java.util.List;
import java.util.Optional;

/** What was built: reward, environment, measurement, algorithm, data flow, limits and tricks. */
record ImplementationChapter(RewardFacts facts, HumanAnswers answers) {

  RewardReport.Chapter chapter() {
    return new RewardReport.Chapter(
        "Implementation",
        List.of(
            reward(),
            environment(),
            measurement(),
            algorithm(),
            dataFlow(),
            limitations(),
            tricks()));
  }

  private RewardReport.Part reward() {
    Surface surface = facts.surface();
    RewardLines lines = new RewardLines("Reward");
    Optional<Signal> signal = surface.signal(surface.objective().signal());
    lines.add(
        "The reward of a decision is its %s, summed over its positions%s."
            .formatted(
                surface.objective().signal(),
                signal
                    .filter(each -> Double.isFinite(each.max()) && Double.isFinite(each.min()))
                    .map(
                        each ->
                            "; a value lies between "
                                + Figures.number(each.min())
                                + " and "
                                + Figures.number(each.max()))
                    .orElse("")));
    return lines.part();
  }

  private RewardReport.Part environment() {
    Surface surface = facts.surface();
    return new RewardLines("Environment")
        .add(
            "A decision shows %d of at most %d candidates."
                .formatted(surface.slateSize(), surface.maxCandidates()))
        .add(
            "It sees %d features of the moment, %d of each item, and the last %d decisions of the subject."
                .formatted(
                    surface.context().size(), surface.item().size(), surface.history().last()))
        .part();
  }

  private RewardReport.Part measurement() {
    return new RewardLines("Measurement")
        .add(
            "What people do later than %s after a decision does not count for it."
                .formatted(Durations.words(facts.surface().longestWindow())))
        .add(
            "An outcome that arrives late restates its decision; reports are as of a time and do"
                + " not change.")
        .part();
  }

  private RewardReport.Part algorithm() {
    PolicyManifest manifest = facts.manifest();
    RewardLines lines =
        new RewardLines("Algorithm")
            .add(
                "%s with seed %d, code %s."
                    .formatted(manifest.algorithm(), manifest.seed(), manifest.codeVersion()));
    lines.add(
        manifest.parent() == null
            ? "It has no parent."
            : "Its parent is " + manifest.parent() + ".");
    manifest
        .metrics()
        .forEach(
            (name, value) ->
                lines.add("Measured in training: " + name + " " + Figures.number(value)));
    return lines.part();
  }

  private RewardReport.Part dataFlow() {
    PolicyManifest manifest = facts.manifest();
    RewardLines lines = new RewardLines("Data flow");
    if (manifest.data().rows() == 0) {
      lines.add("It was declared and learned from no data: " + manifest.data().source() + ".");
    } else {
      lines.add(
          "Learned from %s decisions of %s, made from %s to %s, SHA-256 %s."
              .formatted(
                  Figures.count(manifest.data().rows()),
                  manifest.data().source(),
                  manifest.data().from(),
                  manifest.data().to(),
                  manifest.data().digest()));
    }
    lines.add(
        "Its own decisions and what people do then become the data that the next version learns"
            + " from.");
    return lines.part();
  }

  private RewardReport.Part limitations() {
    RewardLines lines = new RewardLines("Limitations and known feedback effects");
    lines.addAll(new FeedbackEffects(facts).sentences());
    lines.human(answers, HumanField.ASSUMPTIONS);
    return lines.part();
  }

  private RewardReport.Part tricks() {
    Surface.Exploration exploration = facts.surface().exploration();
    return new RewardLines("Tricks")
        .add(
            "Scores are divided by a temperature of %s; %s of every choice is uniform, and no candidate's chance at the first position is below %s."
                .formatted(
                    Figures.number(exploration.temperature()),
                    Figures.percent(exploration.uniform()),
                    Figures.number(exploration.minPropensity())))
        .part();
  }
}
