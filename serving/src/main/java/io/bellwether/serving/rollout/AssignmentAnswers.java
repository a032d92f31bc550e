package io.bellwether.serving.rollout;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.request.PathText;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which variant somebody would get now, and why none. Nothing is logged, nobody is exposed. */
@Singleton
final class AssignmentAnswers {

  /** Elements of a batch. */
  private static final int MAX_SUBJECTS = 1000;

  private static final int OK = 200;

  private final Experiments experiments;
  private final Pseudonyms pseudonyms;
  private final Clock clock;

  AssignmentAnswers(Experiments experiments, Pseudonyms pseudonyms, Clock clock) {
    this.pseudonyms = pseudonyms;
    this.experiments = experiments;
    this.clock = clock;
  }

  /**
   * An assignment; what it does not have is left out.
   *
   * @param reason why there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Answer(
      String experiment,
      String subjectId,
      boolean assigned,
      @Nullable String reason,
      @Nullable String variant,
      @Nullable String version,
      @Nullable Integer phase,
      @Nullable Integer bucket,
      @Nullable Double share,
      @Nullable Boolean forced) {

    static Answer of(String experiment, String subject, Assigned assigned) {
      if (assigned instanceof Assigned.ToVariant to) {
        return new Answer(
            experiment,
            subject,
            true,
            null,
            to.variant().name(),
            to.version(),
            to.phase().number(),
            to.bucket(),
            to.share(),
            to.forced());
      }
      String reason = ((Assigned.None) assigned).reason().name();
      return new Answer(experiment, subject, false, reason, null, null, null, null, null, null);
    }
  }

  /** What became of one element of a batch. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(
      String id, int status, @Nullable Answer assignment, @Nullable Problem problem) {}

  /** One element per subject, in their order. */
  public record Batch(List<Item> items) {}

  /**
   * One subject's.
   *
   * @param encodedSubject as it stands in the path
   * @param context a JSON object; absent: empty
   */
  Answer one(String experiment, String encodedSubject, @Nullable String context) {
    experiments.require(experiment);
    String subject = PathText.decoded(encodedSubject);
    if (!JsonFields.isForeignId(subject)) {
      throw ProblemException.of(Slug.INVALID_REQUEST, refusal());
    }
    JsonNode given =
        context == null
            ? MissingNode.getInstance()
            : JsonBody.parse(context.getBytes(StandardCharsets.UTF_8), Limits.STANDARD.bodyBytes());
    if (context != null && !given.isObject()) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "context is " + JsonFields.found(given) + ", must be a JSON object");
    }
    return answer(experiment, subject, given);
  }

  Batch batch(String experiment, byte[] body) {
    experiments.require(experiment);
    JsonFields fields =
        JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.bodyBytes()))
            .only(Set.of("subjectIds", "context"));
    JsonNode subjects = fields.get("subjectIds");
    if (!subjects.isArray() || subjects.isEmpty() || subjects.size() > MAX_SUBJECTS) {
      fields.refuse(
          "subjectIds",
          "is %s, must be an array of 1 to %d texts"
              .formatted(JsonFields.found(subjects), MAX_SUBJECTS));
    }
    var unused = fields.object("context"); // Notes what is none.
    fields.check();
    List<Item> items = new ArrayList<>();
    for (int index = 0; index < subjects.size(); index++) {
      items.add(item(experiment, index, subjects.get(index), fields.get("context")));
    }
    return new Batch(items);
  }

  private Item item(String experiment, int index, JsonNode subject, JsonNode context) {
    if (subject.isTextual() && JsonFields.isForeignId(subject.textValue())) {
      String id = subject.textValue();
      return new Item(id, OK, answer(experiment, id, context), null);
    }
    Problem problem = Problem.at(Slug.INVALID_REQUEST, "#/subjectIds/" + index, refusal());
    return new Item(subject.asText(), problem.status(), null, problem);
  }

  private Answer answer(String experiment, String subject, JsonNode context) {
    Assignments known = experiments.assignments();
    // Where requests are randomised, the id in the path is a decision's.
    Occasion occasion =
        new Occasion(
            pseudonyms.of(subject),
            subject,
            () -> context.isMissingNode() ? null : context,
            clock.instant());
    return known
        .explain(experiment, occasion)
        .map(assigned -> Answer.of(experiment, subject, assigned))
        .orElseThrow(
            () ->
                ProblemException.of(
                    Slug.NOT_FOUND, "No experiment is named '" + experiment + "'."));
  }

  private static String refusal() {
    return "A subject's id is a text that is not blank, valid Unicode, at most "
        + Limits.STANDARD.idBytes()
        + " bytes in UTF-8.";
  }
}
