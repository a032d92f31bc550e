/**
 * An outcome's way: {@link io.bellwether.serving.outcome.OutcomeResource} takes one or a batch,
 * {@link io.bellwether.serving.outcome.OutcomeReader} checks each by itself, and {@link
 * io.bellwether.serving.outcome.OutcomeService} sends the good ones to Kafka. Whether its decision
 * exists is found out where outcomes are joined, not here.
 */
@NullMarked
package io.bellwether.serving.outcome;

import org.jspecify.annotations.NullMarked;
