package io.bellwether.serving.request;

/**
 * Bounds of requests, as {@code GET /v1/limits} advertises them.
 *
 * @param bodyBytes of a single request
 * @param batchBodyBytes of a batch: decisions, outcomes, items
 * @param grpcMessageBytes of a message to the gRPC interface, batches included
 * @param candidates of a decision; a surface's own bound may be lower
 * @param positions of a slate
 * @param decisionsPerBatch elements of a batch of decisions
 * @param outcomesPerBatch elements of a batch of outcomes
 * @param itemsPerBatch elements of a batch of items
 * @param nameChars of a field's name
 * @param stringChars of a text
 * @param nesting of objects and arrays inside a feature or property
 * @param idBytes of an id, in UTF-8
 * @param outcomeLookbackDays how far an outcome may lie in the past
 * @param outcomeLeadMinutes how far an outcome may lie in the future
 */
public record Limits(
    int bodyBytes,
    int batchBodyBytes,
    int grpcMessageBytes,
    int candidates,
    int positions,
    int decisionsPerBatch,
    int outcomesPerBatch,
    int itemsPerBatch,
    int nameChars,
    int stringChars,
    int nesting,
    int idBytes,
    int outcomeLookbackDays,
    int outcomeLeadMinutes) {

  /** The bounds that hold. */
  public static final Limits STANDARD =
      new Limits(1 << 20, 8 << 20, 4 << 20, 1000, 50, 100, 1000, 1000, 128, 1024, 3, 256, 30, 5);
}
