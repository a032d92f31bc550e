package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Raw states in a graph: {@code context [r, Dc]}, and {@code history [r, L, Dh]} where the schema
 * has one.
 */
public record StateRows(Tensor context, @Nullable Tensor history) {}
