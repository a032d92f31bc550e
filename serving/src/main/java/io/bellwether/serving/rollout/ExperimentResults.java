package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.experiment.ExperimentReading;
import io.bellwether.evaluation.experiment.GuardrailReading;
import io.bellwether.evaluation.experiment.LimitReading;
import io.bellwether.evaluation.experiment.RolloutRule;
import io.bellwether.serving.experiment.Analysis;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Move;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.rollout.ReadingJson.ReadOut;
import io.bellwether.serving.rollout.Readings.Read;
import jakarta.inject.Singleton;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What an experiment says now, or what it said when it was last moved. */
@Singleton
final class ExperimentResults {

  private static final Logger LOG = Logger.getLogger(ExperimentResults.class);

  private final Experiments experiments;
  private final Readings readings;
  private final RolloutController controller;
  private final ExperimentJson json;

  ExperimentResults(
      Experiments experiments,
      Readings readings,
      RolloutController controller,
      ExperimentJson json) {
    this.experiments = experiments;
    this.readings = readings;
    this.controller = controller;
    this.json = json;
  }

  /**
   * The results as a document.
   *
   * @param method the read-out that stands as each metric's interval; absent: as declared
   * @param look the time to look back to; absent: now
   */
  JsonNode of(String name, @Nullable String method, @Nullable String look) {
    ExperimentState state = experiments.require(name);
    ReadOut readOut = method == null ? ReadOut.of(declaredMethod(state)) : readOut(method);
    if (look != null) {
      return stored(name, instant(look));
    }
    if (state.phases().isEmpty()) {
      throw ProblemException.of(
          Slug.STATE_CONFLICT, "'" + name + "' was never started, so it has no results.");
    }
    return withHistory(document(state, readOut), experiments.history(name));
  }

  /** The move with what the numbers say now; they never stand in the way of a move. */
  By withEvidence(ExperimentState state, By by) {
    if (state.phases().isEmpty()) {
      return by;
    }
    try {
      return by(by, now(state));
    } catch (RuntimeException e) {
      LOG.warnf(e, "%s is moved without evidence: its numbers cannot be read", state.name());
      return by;
    }
  }

  /**
   * The conclusion with the evidence it rests on.
   *
   * @param override why it is concluded whatever the evidence is
   * @throws ProblemException {@code evaluation-not-passed} where a treatment is to win without it
   */
  By concluding(ExperimentState state, String winner, Optional<String> override, By by) {
    if (state.phases().isEmpty()) {
      return by;
    }
    Read read = readings.read(state, controller.memory(state.name()));
    ObjectNode evidence = document(state, read, ReadOut.of(declaredMethod(state)));
    if (override.isPresent()) {
      evidence.put("override", override.get());
    } else if (DeclaredPlan.treatments(state.declaration()).contains(winner)) {
      requireEvidence(winner, read.reading());
    }
    return By.seeing(state, by.who(), by.why(), evidence);
  }

  private static void requireEvidence(String winner, ExperimentReading reading) {
    if (reading.numbersAgeMillis() > RolloutRule.OLDEST_NUMBERS.toMillis()) {
      throw notPassed("the numbers are %d s old".formatted(reading.numbersAgeMillis() / 1000));
    }
    if (reading.sampleRatio().alarm()) {
      throw notPassed("the traffic was not split as it should have been");
    }
    if (reading.limits().stream().anyMatch(row -> isOf(winner, row) && row.crossed())) {
      throw notPassed("'" + winner + "' has crossed a limit of how decisions run");
    }
    Set<String> limits = new TreeSet<>();
    Set<String> kept = new TreeSet<>();
    Set<String> broken = new TreeSet<>();
    for (GuardrailReading row : reading.guardrails()) {
      if (row.variant().equals(winner)) {
        limits.add(row.metric());
        if (row.established()) {
          kept.add(row.metric());
        }
        if (row.phase() == reading.phase() && (row.harmful() || row.refuted())) {
          broken.add(row.metric());
        }
      }
    }
    if (limits.isEmpty()) {
      throw notPassed("nothing was compared with the control");
    }
    if (!broken.isEmpty()) {
      throw notPassed("shown not to be kept by '" + winner + "': " + String.join(", ", broken));
    }
    limits.removeAll(kept);
    if (!limits.isEmpty()) {
      throw notPassed("not shown to be kept by '" + winner + "': " + String.join(", ", limits));
    }
  }

  private static boolean isOf(String variant, LimitReading row) {
    return row.variant().equals(variant);
  }

  private static ProblemException notPassed(String why) {
    return ProblemException.of(
        Slug.EVALUATION_NOT_PASSED,
        "The evidence is not there: "
            + why
            + ". Wait, or send override with the reason to do without.");
  }

  private ObjectNode now(ExperimentState state) {
    return document(state, ReadOut.of(declaredMethod(state)));
  }

  private ObjectNode document(ExperimentState state, ReadOut method) {
    return document(state, readings.read(state, controller.memory(state.name())), method);
  }

  private ObjectNode document(ExperimentState state, Read read, ReadOut method) {
    return Results.of(state, read, controller.verdict(state.name()), method);
  }

  private static Analysis.Method declaredMethod(ExperimentState state) {
    return state.declaration().analysis().method();
  }

  private static By by(By by, ObjectNode evidence) {
    return new By(by.who(), by.why(), by.expected(), Optional.of(evidence));
  }

  /** A look that was stored is shown as it was; it is not computed again from later numbers. */
  private JsonNode stored(String name, Instant until) {
    List<Move> moves =
        experiments.history(name).stream().filter(move -> !move.when().isAfter(until)).toList();
    for (int index = moves.size() - 1; index >= 0; index--) {
      if (moves.get(index).evidence().orElse(null) instanceof ObjectNode evidence
          && evidence.has("metrics")) {
        return withHistory(evidence.deepCopy(), moves.subList(0, index + 1));
      }
    }
    throw ProblemException.of(
        Slug.NOT_FOUND, "No move of '%s' until %s rests on results.".formatted(name, until));
  }

  private JsonNode withHistory(ObjectNode document, List<Move> moves) {
    ArrayNode history = document.putArray("history");
    moves.forEach(move -> history.add(json.move(move, false)));
    return document;
  }

  private static ReadOut readOut(String word) {
    for (ReadOut each : ReadOut.values()) {
      if (each.name().equals(word)) {
        return each;
      }
    }
    throw ProblemException.of(
        Slug.INVALID_REQUEST,
        "method is '%s', must be one of %s".formatted(word, Arrays.toString(ReadOut.values())));
  }

  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "look is '%s', must be a time such as 2026-11-30T12:00:00Z".formatted(text));
    }
  }
}
