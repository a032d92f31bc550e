package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;
import java.util.stream.IntStream;

/** The same rows more than once. */
record RepeatedRows(SoundLog log) {
  private static final int SUBJECTS = 20;
  private static final int COPIES = 600;

  /** How far the target goes towards the worst that can be shown. */
  private static final double DISTANCE = 0.15;

  private static final int MOST_TRIES = 1_000;

  List<PlantedFailure> all() {
    return List.of(
        new PlantedFailure("every decision twice", "ROWS_NOT_IN_ORDER", this::twice),
        new PlantedFailure(
            "copies under new ids of the same subjects, of a worse target",
            Outcome.REPEATED_SUBJECTS,
            this::copies));
  }

  private Outcome twice() {
    Choices doubled = repeated(log.choices(), row -> row % SoundLog.ROWS, 2 * SoundLog.ROWS);
    return log.evaluated(
        doubled
            .columns()
            .decisions(
                IntStream.range(0, doubled.size()).map(row -> row % SoundLog.ROWS).toArray(),
                new int[doubled.size()],
                IntStream.range(0, doubled.size())
                    .mapToLong(row -> row % SoundLog.ROWS)
                    .toArray()));
  }

  private interface Source {
    int of(int row);
  }

  private static Choices repeated(Choices choices, Source source, int rows) {
    Choices repeated =
        new Choices(
            new int[rows],
            new double[rows],
            new double[rows][],
            new double[rows][],
            new double[rows][]);
    for (int row = 0; row < rows; row++) {
      int from = source.of(row);
      repeated.item()[row] = choices.item()[from];
      repeated.reward()[row] = choices.reward()[from];
      repeated.logging()[row] = choices.logging()[from];
      repeated.target()[row] = choices.target()[from];
      repeated.prediction()[row] = choices.prediction()[from];
    }
    return repeated;
  }

  /** Rows that would pass if each were of a subject of its own. */
  private Outcome copies() {
    ChoiceWorld worse = log.world().withTarget(log.world().worsened(DISTANCE));
    for (int at = 0; at < MOST_TRIES; at++) {
      Choices few = worse.draw(SUBJECTS, 1, log.seed() + at);
      Choices copied = repeated(few, row -> row / COPIES, SUBJECTS * COPIES);
      ScoredChoices scored = new ScoredChoices(copied);
      if (log.evaluated(scored.columns(1)).verdict().equals(Outcome.PASS)) {
        return log.evaluated(scored.columns(COPIES), scored.support());
      }
    }
    throw new IllegalStateException("no copies look better than they are");
  }
}
