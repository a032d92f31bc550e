package io.bellwether.loadtest.serving;

/** Told about each answer, on the generator's reading thread: it must be quick. */
interface AnswerListener {

  /** Listens to nothing. */
  AnswerListener NONE = (index, sentNanos, status, answer, from, to) -> {};

  /**
   * An answer has arrived.
   *
   * @param sentNanos when its request began to be written
   * @param answer the bytes as they were read, valid during the call; the body is {@code
   *     answer[from..to)}
   */
  void answered(long index, long sentNanos, int status, byte[] answer, int from, int to);
}
