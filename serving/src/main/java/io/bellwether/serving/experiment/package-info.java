/**
 * Which variant of which experiment a decision comes from. {@link
 * io.bellwether.serving.experiment.Experiments} moves experiments from state to state by appending
 * to journals that all replicas share; {@link io.bellwether.serving.experiment.Assignments} is what
 * a replica knows of them, and assigns. Read {@link io.bellwether.serving.experiment.Experiment}
 * first: it is what people declare.
 */
@NullMarked
package io.bellwether.serving.experiment;

import org.jspecify.annotations.NullMarked;
