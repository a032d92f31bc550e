package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.experiment.Verdict;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.rollout.Readings.Read;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What an experiment says, as JSON: what the interface answers, and what a move keeps as its
 * evidence.
 */
final class Results {

  private static final double MILLIS = 1_000;

  private Results() {}

  /**
   * The whole document.
   *
   * @param verdict the latest one, where a rollout is judged
   */
  static ObjectNode of(
      ExperimentState state, Read read, Optional<Verdict> verdict, ReadingJson.ReadOut method) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("experiment", state.name());
    document.put("surface", state.declaration().surface());
    document.put("kind", state.declaration().kind().name());
    document.put("status", state.status().name());
    document.put("paused", state.paused());
    document.put("at", read.at().toString());
    state.phase().ifPresent(phase -> phase(phase, state, document.putObject("phase")));
    numbers(read, document);
    new ReadingJson(method).write(read.reading(), document);
    verdict.ifPresent(known -> gate(known, document.putObject("gate")));
    return document;
  }

  private static void phase(
      io.bellwether.serving.experiment.Phase phase, ExperimentState state, ObjectNode into) {
    into.put("number", phase.number());
    into.put("startedAt", phase.startedAt().toString());
    if (!state.declaration().plan().isEmpty()) {
      into.put("step", state.step());
      into.put("steps", state.declaration().plan().size());
    }
    ObjectNode shares = into.putObject("shares");
    phase.shares().forEach(shares::put);
    ObjectNode versions = into.putObject("versions");
    phase.versions().forEach(versions::put);
  }

  private static void numbers(Read read, ObjectNode document) {
    ObjectNode numbers = document.putObject("numbers");
    read.newestAt().ifPresent(at -> numbers.put("newestAt", at.toString()));
    read.countedUntil().ifPresent(at -> numbers.put("writtenAt", at.toString()));
    read.age().map(Results::seconds).ifPresent(age -> numbers.put("ageSeconds", age));
    read.age().map(Results::seconds).ifPresent(age -> document.put("numbersAgeSeconds", age));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS;
  }

  private static void gate(Verdict verdict, ObjectNode into) {
    into.put("verdict", word(verdict));
    ArrayNode reasons = into.putArray("reasons");
    verdict.reasons().forEach(reason -> reasons.add(reason.words()));
    ArrayNode checks = into.putArray("checks");
    for (Verdict.Reason reason : verdict.reasons()) {
      ReadingJson.Row row = new ReadingJson.Row(checks.addObject());
      row.text("code", reason.code().name());
      row.text("subject", reason.subject());
      row.put("observed", reason.observed());
      row.put("limit", reason.limit());
    }
  }

  /** The verdict as the interface and the meters name it: ADVANCE, HOLD, ROLL_BACK, COMPLETE. */
  static String word(Verdict verdict) {
    return verdict.word().toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
