package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * An offline prediction next to what the experiment measured.
 *
 * @param online the difference over all phases
 * @param onlineInterval its confidence sequence
 * @param error online minus predicted
 * @param inside whether the online difference lies inside the predicted interval; false without one
 */
public record LedgerRow(
    Prediction prediction, Figure online, Bounds onlineInterval, Figure error, boolean inside) {}
