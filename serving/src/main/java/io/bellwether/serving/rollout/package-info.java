/**
 * What becomes of a running experiment: its numbers as they are counted, what they say, and the
 * controller that raises a share, waits, or takes it back. Read {@link
 * io.bellwether.serving.rollout.RolloutController} first; {@code ExperimentResource} is the edge.
 */
@NullMarked
package io.bellwether.serving.rollout;

import org.jspecify.annotations.NullMarked;
