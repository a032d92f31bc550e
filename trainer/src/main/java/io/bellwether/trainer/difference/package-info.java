/**
 * How differently two policy versions behave on the same logged decisions. {@link
 * io.bellwether.trainer.difference.ReplaySample} fixes the decisions, {@link
 * io.bellwether.trainer.difference.BehaviourComparison} decides them again with both versions, and
 * what came of it is a {@link io.bellwether.trainer.difference.PolicyDifference}.
 */
@NullMarked
package io.bellwether.trainer.difference;

import org.jspecify.annotations.NullMarked;
