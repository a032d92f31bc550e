package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Variant;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What all requests that move an experiment have in common: who, why, and what was seen. */
final class MoveBody {

  private static final String BY_API = "api";
  private static final Pattern ACTOR =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]{0,126}[\\x21-\\x7e])?");
  private static final Pattern ETAG = Pattern.compile("\"?(\\d{1,18})\"?");
  private static final double HUNDRED = 100;
  private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.UTF_8);

  private MoveBody() {}

  /**
   * The fields of a body, of which these are known beside {@code reason}; no body is an empty one.
   */
  static JsonFields fields(byte[] body, String... known) {
    Set<String> all = new HashSet<>(Arrays.asList(known));
    all.add("reason");
    byte[] given = body.length == 0 ? NOTHING : body;
    return JsonFields.ofRequest(JsonBody.parse(given, Limits.STANDARD.bodyBytes())).only(all);
  }

  /** Who moves, as the caller says, or {@code api}. */
  static String who(@Nullable String actor) {
    if (actor == null || actor.isEmpty()) {
      return BY_API;
    }
    if (!ACTOR.matcher(actor).matches() || actor.equals(RolloutController.WHO)) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "The header Bellwether-Actor must be 1 to 128 printable ASCII characters, and not '"
              + RolloutController.WHO
              + "'.");
    }
    return actor;
  }

  /** Notes where the reason is missing or blank. */
  static String requiredReason(JsonFields fields) {
    String reason = fields.requiredText("reason");
    if (fields.has("reason") && reason.isBlank()) {
      fields.refuse("reason", "is blank, must say why");
    }
    return reason;
  }

  /** The share that a treatment is to have, in percent. */
  static double percent(JsonFields fields) {
    JsonNode value = fields.get("percent");
    if (!value.isNumber()) {
      fields.refuse(
          "percent", "is " + JsonFields.found(value) + ", must be a number from 0 to 100");
      return 0;
    }
    double percent = value.doubleValue();
    if (!(percent >= 0 && percent <= HUNDRED)) {
      fields
          .violations()
          .add(
              new Violation(
                  Slug.VALUE_OUT_OF_RANGE.text(),
                  fields.pointer("percent"),
                  "is " + JsonFields.found(value) + ", must be from 0 to 100"));
    }
    return percent;
  }

  static String unknownVariant(ExperimentState state, String name) {
    return "is '%s', must be one of %s"
        .formatted(
            name,
            String.join(", ", state.declaration().variants().stream().map(Variant::name).toList()));
  }

  /** Who moves a state and why, once nothing is wrong with the request. */
  static By by(
      @Nullable String actor, @Nullable String ifMatch, ExperimentState state, String reason) {
    return new By(who(actor), reason, seen(ifMatch, state), Optional.empty());
  }

  /**
   * The move that the caller has seen, which must be the latest one; empty where it says nothing.
   */
  private static OptionalLong seen(@Nullable String ifMatch, ExperimentState state) {
    if (ifMatch == null || ifMatch.strip().equals("*")) {
      return OptionalLong.empty();
    }
    var etag = ETAG.matcher(ifMatch.strip());
    if (!etag.matches() || Long.parseLong(etag.group(1)) != state.sequence()) {
      throw new ProblemException(
          Problem.of(
              Slug.ETAG_MISMATCH,
              "If-Match is %s, the latest move of '%s' is \"%d\"."
                  .formatted(ifMatch, state.name(), state.sequence())));
    }
    return OptionalLong.of(state.sequence());
  }
}
