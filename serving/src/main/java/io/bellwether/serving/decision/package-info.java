/**
 * A decision's way: {@link io.bellwether.serving.decision.DecisionRoute}, or {@link
 * io.bellwether.serving.decision.DecisionResource} where it is unusual, takes the request, {@link
 * io.bellwether.serving.decision.DecisionService} walks it through reading, recalling, deciding and
 * logging, and {@link io.bellwether.serving.decision.DecisionMaker} computes. What is answered is
 * read from the very record that was logged.
 */
@NullMarked
package io.bellwether.serving.decision;

import org.jspecify.annotations.NullMarked;
