/**
 * The offline gate: what logged decisions say about a policy before anybody sees it. {@link
 * io.bellwether.trainer.gate.OfflineEvaluation} looks at the log, fits the reward models, asks all
 * policies in the {@link io.bellwether.trainer.gate.ScoringJob}, and gives an {@link
 * io.bellwether.trainer.gate.EvaluationRecord}; {@link io.bellwether.trainer.gate.Gate} files it
 * with the version and moves aliases.
 */
@NullMarked
package io.bellwether.trainer.gate;

import org.jspecify.annotations.NullMarked;
