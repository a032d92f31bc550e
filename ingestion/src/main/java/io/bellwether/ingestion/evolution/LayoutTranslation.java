package io.bellwether.ingestion.evolution;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts the encoded rows of decisions of an earlier layout into a later one, column by column:
 * features keep their values by name, new ones are missing, dropped ones are left out, and
 * categories whose values have changed are numbered again. Thread-safe; travels to tasks.
 */
public final class LayoutTranslation implements Serializable {

  private static final long serialVersionUID = 1;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Columns of a history row before those of its item: valid and gap. */
  private static final int HISTORY_LEAD = 2;

  private final String from;
  private final String to;
  private final RowTranslation context;
  private final RowTranslation history;
  private final int oldHistoryLength;
  private final int historyLength;
  private final RowTranslation item;

  private LayoutTranslation(Surface before, Surface after) {
    FeatureLayout old = FeatureLayout.of(before);
    FeatureLayout now = FeatureLayout.of(after);
    this.from = old.digest();
    this.to = now.digest();
    this.context = RowTranslation.of(before.context(), after.context());
    this.item = RowTranslation.of(before.item(), after.item());
    this.oldHistoryLength = old.historyLength();
    this.historyLength = now.historyLength();
    this.history =
        item.inside(
            HISTORY_LEAD,
            before.history().signals(),
            after.history().signals(),
            old.historyWidth(),
            now.historyWidth());
  }

  /**
   * The translation between two declarations of a surface; empty where a feature has changed
   * incompatibly.
   */
  public static Optional<LayoutTranslation> between(Surface before, Surface after) {
    return SurfaceChange.areCompatible(SurfaceChange.between(before, after))
        ? Optional.of(new LayoutTranslation(before, after))
        : Optional.empty();
  }

  /**
   * Translates a decision in place; its digest of features is the later one then.
   *
   * @return whether it had the earlier layout, with rows as long as that says; otherwise it stays
   *     as it is
   */
  public boolean translate(Decision decision) {
    int candidates = decision.getCandidateIds().size();
    float[] oldContext = Floats.of(decision.getContext());
    float[] oldHistory = Floats.of(decision.getHistory());
    float[] oldItems = Floats.of(decision.getItems());
    if (!decision.getFeatureDigest().equals(from)
        || oldContext.length != context.oldWidth()
        || oldHistory.length != oldHistoryLength * history.oldWidth()
        || oldItems.length != candidates * item.oldWidth()) {
      return false;
    }
    float[] newContext = new float[context.width()];
    context.translate(oldContext, 0, newContext, 0);
    if (context.readsRaw()) {
      context.encode(json(decision.getRawContext()), newContext, 0);
    }
    float[] newItems = new float[candidates * item.width()];
    JsonNode raw = item.readsRaw() ? json(decision.getRawItems()) : MissingNode.getInstance();
    for (int i = 0; i < candidates; i++) {
      item.translate(oldItems, i * item.oldWidth(), newItems, i * item.width());
      if (raw.path(i).isObject()) {
        item.encode(raw.path(i), newItems, i * item.width());
      }
    }
    decision.setContext(Floats.toBytes(newContext, newContext.length));
    float[] newHistory = history(oldHistory);
    decision.setHistory(Floats.toBytes(newHistory, newHistory.length));
    decision.setItems(Floats.toBytes(newItems, newItems.length));
    decision.setFeatureDigest(to);
    return true;
  }

  /** The newest rows, the newest one last. */
  private float[] history(float[] old) {
    float[] rows = new float[historyLength * history.width()];
    int kept = Math.min(historyLength, oldHistoryLength);
    for (int i = 1; i <= kept; i++) {
      history.translate(
          old,
          (oldHistoryLength - i) * history.oldWidth(),
          rows,
          (historyLength - i) * history.width());
    }
    return rows;
  }

  private static JsonNode json(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return MissingNode.getInstance();
    }
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
