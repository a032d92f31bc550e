package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bellwether.serving.pseudonym.Placeholders;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a decision before it is made. Immutable.
 *
 * @param subjectId for whom; absent where the request names nobody
 * @param decisionId of the decision to be made
 * @param context as it was sent, absent where there is none; asked for where an experiment aims at
 *     a part of it
 * @param now when
 */
public record Occasion(
    @Nullable String subjectId,
    String decisionId,
    Supplier<? extends @Nullable JsonNode> context,
    Instant now) {

  /** The subject's id if it can be a unit; absent where it stands for nobody. */
  @Nullable String subjectUnit() {
    return subjectId == null || Placeholders.isPlaceholder(subjectId) ? null : subjectId;
  }

  boolean fits(List<Condition> conditions) {
    for (int i = 0; i < conditions.size(); i++) {
      if (!fits(conditions.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(Condition condition) {
    if (condition.attribute().equals(Condition.SUBJECT)) {
      return subjectId != null && condition.holds(subjectId);
    }
    JsonNode sent = context.get();
    JsonNode value = sent == null ? MissingNode.getInstance() : sent.path(condition.attribute());
    return !value.isMissingNode() && !value.isNull() && condition.holds(value);
  }
}
