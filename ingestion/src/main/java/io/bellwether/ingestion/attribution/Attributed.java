package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.SignalValue;
import java.util.List;

/**
 * All that people did about one decision.
 *
 * @param signals sorted by signal, then position; only what was observed
 * @param outcomeCount distinct outcomes inside their windows
 * @param outsideWindow distinct outcomes outside their windows
 */
public record Attributed(List<SignalValue> signals, int outcomeCount, int outsideWindow) {}
