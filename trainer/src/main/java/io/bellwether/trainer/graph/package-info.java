/**
 * A reverse-mode graph builder: forward operators, their gradients and the optimiser, emitted as
 * one ONNX graph.
 *
 * <p>One graph is one whole training step; ONNX Runtime is the only numeric runtime, so what is
 * trained, exported and served is computed by the same kernels. Read {@link
 * io.bellwether.trainer.graph.Tensor} first, then {@link io.bellwether.trainer.graph.Gradients} and
 * {@link io.bellwether.trainer.graph.TrainingSession}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.graph;
