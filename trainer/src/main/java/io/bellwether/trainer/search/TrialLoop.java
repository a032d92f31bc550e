package io.bellwether.trainer.search;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Runs the trials of a search, one after the other, until there are no more or the time is up, and
 * keeps each when it is finished. What it finds in the folder is not run again.
 *
 * @param limit no trial begins later; the baseline always does
 */
record TrialLoop(
    SearchPlan plan,
    int draws,
    Duration limit,
    SearchFolder folder,
    Trials trials,
    Clock clock,
    Consumer<String> progress) {

  /** All that are finished, the best first; at least the baseline. */
  List<Trial> run() throws IOException {
    Instant began = clock.instant();
    SortedMap<Step, Trial> finished = folder.trials();
    if (!finished.isEmpty()) {
      progress.accept("%d trials were finished before".formatted(finished.size()));
    }
    int ran = 0;
    for (Optional<Step> next = next(finished); next.isPresent(); next = next(finished)) {
      Step step = next.get();
      if (!finished.isEmpty() && !clock.instant().isBefore(began.plus(limit))) {
        progress.accept("the time is up");
        break;
      }
      Draw draw =
          step.draw() < 0 ? Draw.BASELINE : Draw.of(plan.algorithms(), plan.seed(), step.draw());
      Trial trial = trials.run(step, draw);
      folder.write(trial);
      finished.put(step, trial);
      ran++;
      progress.accept(line(trial, finished, ran, Duration.between(began, clock.instant())));
    }
    return finished.values().stream().sorted().toList();
  }

  private Optional<Step> next(SortedMap<Step, Trial> finished) {
    return finished.containsKey(Step.BASELINE)
        ? Halving.next(draws, finished)
        : Optional.of(Step.BASELINE);
  }

  private String line(Trial trial, SortedMap<Step, Trial> finished, int ran, Duration spent) {
    int all = 1 + Halving.steps(draws);
    Trial best = finished.values().stream().sorted().findFirst().orElse(trial);
    Duration rest = spent.dividedBy(ran).multipliedBy(Math.max(0, all - finished.size()));
    Duration until = limit.minus(spent);
    Duration left = rest.compareTo(until) < 0 ? rest : until;
    return "trial %d of %d: %s: %s; best so far %s, %s; %d min left"
        .formatted(
            finished.size(),
            all,
            trial.words(),
            bound(trial),
            bound(best),
            best.method().word(),
            Math.max(0, left.plusSeconds(59).toMinutes()));
  }

  private static String bound(Trial trial) {
    String bound = trial.lower() == null ? "no bound" : "at least " + Figures.number(trial.lower());
    return switch (trial.standing()) {
      case KEEPS -> bound;
      case BREAKS -> bound + ", breaks " + String.join(", ", trial.broken());
      case FAILED -> "failed: " + trial.reason();
    };
  }
}
