package io.bellwether.trainer.gate;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.data.DataSet;
import io.bellwether.trainer.data.DataSummary;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.LinkedRows;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.TrainingRow;
import io.bellwether.trainer.data.TransitionSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The decisions that a policy is judged by, in the order in which they were made, each once: its
 * highest revision.
 *
 * @param decisions at least one
 * @param linked the same decisions' rows, as learners take them
 */
record EvaluatedLog(List<EvaluatedDecision> decisions, LinkedRows linked) {

  private static final Comparator<EvaluatedDecision> AS_MADE =
      Comparator.comparingLong(EvaluatedDecision::decidedAtMicros)
          .thenComparing(EvaluatedDecision::id);

  EvaluatedLog {
    decisions = List.copyOf(decisions);
  }

  /**
   * Reads and checks a log.
   *
   * @throws io.bellwether.trainer.data.InvalidTrainingData when it holds what cannot be used, or
   *     nothing that can
   */
  static EvaluatedLog read(TransitionSource source, Surface surface, Subjects subjects)
      throws IOException {
    Reading reading = new Reading(new RowEncoder(surface, subjects));
    source.forEach(reading::add);
    reading.data.add(reading.findings);
    reading.decisions.values().forEach(decision -> decision.rows().forEach(reading.data::add));
    LinkedRows linked = reading.data.link();
    return new EvaluatedLog(reading.decisions.values().stream().sorted(AS_MADE).toList(), linked);
  }

  /** What was read, and what was left out. */
  DataSummary summary() {
    return linked.summary();
  }

  /** Positions of all decisions. */
  int rows() {
    return linked.rows().size();
  }

  /** Decisions as they come. Confined to one thread. */
  private static final class Reading {

    private final RowEncoder encoder;
    private final DataSet data = new DataSet();
    private final Findings findings = new Findings();

    /** Decisions share most of their candidates; each id is kept once. */
    private final Map<String, String> ids = new HashMap<>();

    private final Map<String, EvaluatedDecision> decisions = new HashMap<>();

    Reading(RowEncoder encoder) {
      this.encoder = encoder;
    }

    void add(Transition transition) {
      List<TrainingRow> rows = new ArrayList<>();
      encoder.encode(transition, rows::add, findings);
      if (rows.isEmpty()) {
        return;
      }
      EvaluatedDecision decision = EvaluatedDecision.of(transition, rows, shared(transition));
      EvaluatedDecision earlier = decisions.get(decision.id());
      if (earlier == null || earlier.revision() < decision.revision()) {
        decisions.put(decision.id(), decision);
      }
      if (earlier != null) {
        findings.countSuperseded(decision.id());
      }
    }

    private List<String> shared(Transition transition) {
      return transition.getDecision().getCandidateIds().stream()
          .map(id -> ids.computeIfAbsent(id, first -> first))
          .toList();
    }
  }
}
