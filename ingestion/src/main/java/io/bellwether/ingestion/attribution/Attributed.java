package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import java.util.List;

/**
 * All that people did about one decision.
 *
 * @param signals sorted by signal, then position; only what was observed, and what silence means
 * @param outcomeCount distinct outcomes inside their windows
 * @param outsideWindow distinct outcomes outside their windows
 * @param outcomes all distinct outcomes, in the order of time, then of ids
 */
public record Attributed(
    List<SignalValue> signals, int outcomeCount, int outsideWindow, List<Observation> outcomes) {}
