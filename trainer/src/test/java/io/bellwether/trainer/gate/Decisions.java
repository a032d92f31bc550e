package io.bellwether.trainer.gate;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.TrainingRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Decisions of transitions, in the order in which they were made. */
final class Decisions {

  private Decisions() {}

  static List<EvaluatedDecision> of(List<Transition> transitions, Surface surface) {
    RowEncoder encoder = new RowEncoder(surface, Subjects.all());
    List<EvaluatedDecision> decisions = new ArrayList<>();
    for (Transition transition : transitions) {
      List<TrainingRow> rows = new ArrayList<>();
      encoder.encode(transition, rows::add, new Findings());
      decisions.add(EvaluatedDecision.of(transition, rows));
    }
    decisions.sort(Comparator.comparingLong(EvaluatedDecision::decidedAtMicros));
    return decisions;
  }
}
