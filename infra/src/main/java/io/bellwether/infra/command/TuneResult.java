package io.bellwether.infra.command;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.search.SearchResult;
import io.bellwether.trainer.search.Trial;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a search found, as the command says it.
 *
 * @param train the command that makes the winner
 */
record TuneResult(SearchResult result, Surface surface, String train) {
  private static final int SHOWN = 10;

  /** Whether the winner is shown to be better than cloning, and than the champion. */
  boolean beatsAll() {
    List<SearchResult.Answer> asked =
        result.answers().stream()
            .filter(each -> !each.against().equals(SearchResult.Answer.LOGGED))
            .toList();
    return !isCloning() && asked.stream().allMatch(SearchResult.Answer::better);
  }

  /** Behaviour cloning as `train` does it where nothing is said. */
  private boolean isCloning() {
    return result.winner().draw() < 0;
  }

  void print(Terminal terminal) {
    String signal = surface.objective().signal();
    terminal.print(
        "Looked at %d policies of %d draws%s, trained on what was decided before %s"
            .formatted(
                result.looks(),
                result.draws(),
                result.complete() ? "" : " (the search is not at its end)",
                result.split()));
    terminal.print("Ranked by the lower bound of %s per decision:".formatted(signal));
    List<Trial> ranking = result.ranking();
    for (int i = 0; i < Math.min(SHOWN, ranking.size()); i++) {
      terminal.print(line(i + 1, ranking.get(i)));
    }
    terminal.print(
        "What follows holds together for all %d looks with error probability %s: %s for each"
            .formatted(
                result.looks(),
                result.alpha(),
                String.format(Locale.ROOT, "%.3g", result.correctedAlpha())));
    if (isCloning()) {
      terminal.print("Nothing beats behaviour cloning: it is the best itself.");
    }
    for (SearchResult.Answer answer : result.answers()) {
      terminal.print(line(answer));
    }
    if (!result.winner().broken().isEmpty()) {
      terminal.print(
          "No policy keeps every promise; the best breaks %s."
              .formatted(String.join(", ", result.winner().broken())));
    }
    terminal.print("To make the best one:");
    terminal.print("  " + train);
  }

  private static String line(int rank, Trial trial) {
    String promises =
        switch (trial.standing()) {
          case KEEPS -> "";
          case BREAKS -> "; breaks " + String.join(", ", trial.broken());
          case FAILED -> "; " + trial.reason();
        };
    return String.format(
        Locale.ROOT,
        "  %2d  %10s  (%s)  %s%s",
        rank,
        number(trial.lower()),
        number(trial.value()),
        trial.words(),
        promises);
  }

  private static String line(SearchResult.Answer answer) {
    String interval =
        answer.lower() == null
            ? "no interval"
            : "from " + number(answer.lower()) + " to " + number(answer.upper());
    return "%s %s: difference %s, %s%s"
        .formatted(
            answer.better() ? "It beats" : "It is not shown to beat",
            answer.against(),
            number(answer.difference()),
            interval,
            answer.note().isEmpty() ? "" : "; " + answer.note());
  }

  private static String number(@Nullable Double value) {
    return value == null ? "none" : String.format(Locale.ROOT, "%.5g", value);
  }

  /** For scripts. */
  private record Found(
      String surface,
      String objective,
      String split,
      int draws,
      int looks,
      double alpha,
      double correctedAlpha,
      boolean complete,
      List<Ranked> ranking,
      List<Against> winnerAgainst,
      boolean beatsAll,
      String train) {}

  /** One policy. */
  private record Ranked(
      int rank,
      int draw,
      int rung,
      String method,
      double epochs,
      int batchSize,
      String standing,
      @Nullable Double value,
      @Nullable Double lower,
      @Nullable Double upper,
      List<String> broken,
      String reason,
      double seconds) {}

  /** One comparison of the winner. */
  private record Against(
      String against,
      @Nullable Double difference,
      @Nullable Double lower,
      @Nullable Double upper,
      boolean better,
      String note) {}

  Object json() {
    List<Trial> ranking = result.ranking();
    return new Found(
        surface.name(),
        surface.objective().signal(),
        result.split().toString(),
        result.draws(),
        result.looks(),
        result.alpha(),
        result.correctedAlpha(),
        result.complete(),
        ranking.stream().map(trial -> ranked(ranking.indexOf(trial) + 1, trial)).toList(),
        result.answers().stream()
            .map(
                each ->
                    new Against(
                        each.against(),
                        each.difference(),
                        each.lower(),
                        each.upper(),
                        each.better(),
                        each.note()))
            .toList(),
        beatsAll(),
        train);
  }

  private static Ranked ranked(int rank, Trial trial) {
    return new Ranked(
        rank,
        trial.draw(),
        trial.rung(),
        trial.method().text(),
        trial.epochs(),
        trial.batchSize(),
        trial.standing().name().toLowerCase(Locale.ROOT),
        trial.value(),
        trial.lower(),
        trial.upper(),
        trial.broken(),
        trial.reason(),
        trial.seconds());
  }
}
