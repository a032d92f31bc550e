/**
 * Proof that decisions are what their log says. {@link io.bellwether.trainer.replay.Replay}
 * recomputes slates and propensities from logged scores and seeds, which must agree exactly, and
 * scores from logged features, which must agree within the last digits of a 32-bit float. What it
 * found is a {@link io.bellwether.trainer.replay.ReplayResult}.
 */
@NullMarked
package io.bellwether.trainer.replay;

import org.jspecify.annotations.NullMarked;
