package io.bellwether.trainer.graph;

/**
 * ONNX Runtime refused a graph or failed while running it: a defect of the graph, not of the data.
 */
public final class GraphException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GraphException(String attempted, Throwable cause) {
    super(attempted + ": " + cause.getMessage(), cause);
  }
}
