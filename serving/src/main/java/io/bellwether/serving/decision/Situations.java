package io.bellwether.serving.decision;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.retrieval.ItemFilter;
import io.bellwether.serving.retrieval.Proposed;
import io.bellwether.serving.retrieval.Retrieval;
import io.bellwether.serving.rule.Compiled;
import io.bellwether.serving.rule.RuleBook;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.surface.DeclaredSurface;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings together what a decision depends on: the subject's history, the candidates (retrieval's
 * where the request names none), and the rules. Thread-safe; nothing waits.
 */
@Singleton
final class Situations {

  private final Catalogue catalogue;
  private final Retrieval retrieval;
  private final Versions versions;
  private final ThreadLocal<RuleBook> ruleBooks = ThreadLocal.withInitial(RuleBook::new);

  Situations(Catalogue catalogue, Retrieval retrieval, Versions versions) {
    this.catalogue = catalogue;
    this.retrieval = retrieval;
    this.versions = versions;
  }

  /**
   * A question with what was recalled.
   *
   * @throws ProblemException 400 where rules or filter leave no candidate
   */
  Situation of(Question question, Recalled recalled) {
    return of(question, recalled, scoringVersion(question));
  }

  /**
   * A question whose answer can wait neither for Redis nor for a graph.
   *
   * @throws ProblemException 400 where rules or filter leave no candidate
   */
  Situation withoutWaiting(Question question) {
    Recalled nothing = question.request().wantsHistory() ? Recalled.UNAVAILABLE : Recalled.NOTHING;
    return of(question, nothing, null);
  }

  private Situation of(Question question, Recalled recalled, @Nullable String version) {
    DecisionRequest request = question.request();
    FeatureLayout layout = request.surface().layout();
    float[] history = new float[layout.historyLength() * layout.historyWidth()];
    if (request.wantsHistory()) {
      long now = DecisionRecord.micros(question.occasion().now());
      ItemTable items = catalogue.items(request.surface());
      recalled
          .get(request.historyKey())
          .ifPresent(bytes -> SubjectHistory.encode(bytes, layout, now, items, history, 0));
    }
    boolean missing = request.wantsHistory() && !recalled.available();
    long from = System.nanoTime();
    Considered candidates =
        request.wanted() == null
            ? Considered.of(request.candidateIds(), request.items(), request.rawItems(), null)
            : proposed(question, request.wanted(), history, version);
    Considered considered = underRules(request, candidates, history, missing);
    question.clock().candidates(from);
    return new Situation(question, history, missing, considered);
  }

  private Considered proposed(
      Question question, ItemFilter filter, float[] history, @Nullable String version) {
    DeclaredSurface surface = question.request().surface();
    ItemTable items = catalogue.items(surface);
    Proposed proposed =
        retrieval.propose(
            surface,
            items,
            filter,
            question.request().context(),
            history,
            version,
            Math.min(Limits.STANDARD.candidates(), surface.surface().maxCandidates()),
            question.seed());
    if (proposed.rows().length == 0) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "The filter and the excluded items leave none of the %d registered items of '%s'."
              .formatted(items.size(), surface.name()));
    }
    List<String> ids = new ArrayList<>(proposed.rows().length);
    for (int row : proposed.rows()) {
      ids.add(items.id(row));
    }
    return Considered.of(
        ids,
        CandidateRows.registered(items, surface.layout().itemWidth(), proposed.rows()),
        null,
        proposed.source());
  }

  private @Nullable String scoringVersion(Question question) {
    return question.assigned() instanceof Assigned.ToVariant variant
        ? variant.version()
        : versions.champion(question.request().surface()).orElse(null);
  }

  private Considered underRules(
      DecisionRequest request, Considered all, float[] history, boolean historyMissing) {
    if (request.rules().isNone() && request.surface().surface().rules().isNone()) {
      return all;
    }
    Compiled compiled =
        ruleBooks
            .get()
            .compile(
                request.rules(),
                new RuleBook.Case(
                    request.surface(),
                    all.ids(),
                    all.items().toArray(),
                    request.slateSize(),
                    history,
                    historyMissing));
    int[] kept = compiled.kept();
    return new Considered(
        compiled.ids(all.ids()),
        kept == null ? all.items() : all.items().only(kept),
        compiled.rawItems(all.rawItems()),
        compiled.rules(),
        compiled.trace(),
        all.retrieval());
  }
}
