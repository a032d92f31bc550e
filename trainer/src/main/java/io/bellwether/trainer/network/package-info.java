/**
 * What actor and critic are: one description of layers, from which come the padded training forward
 * pass and the ragged exported graph.
 *
 * <p>A network asks {@link io.bellwether.trainer.network.Weights} for its weights and {@link
 * io.bellwether.trainer.network.Candidates} for how candidates belong to states, and does not know
 * which of the two graphs it is in. Read {@link io.bellwether.trainer.network.NetworkSchema} first,
 * then {@link io.bellwether.trainer.network.Actor}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.network;
