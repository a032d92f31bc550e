package io.bellwether.trainer.imports;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One format of logged decisions, read record by record with bounded memory. What cannot be read is
 * an item of the sequence and not an exception, so that one bad line costs one line. Confined to
 * one thread.
 */
public interface LogReader extends AutoCloseable {

  /** What stands at one place of a log. */
  sealed interface Entry {}

  /** A decision that could be read. */
  record Read(LoggedDecision decision) implements Entry {}

  /**
   * What could not be read.
   *
   * @param reason what was found and what would be right
   * @param text the record's beginning, at most a thousand characters
   */
  record Rejected(LoggedDecision.Origin origin, String reason, String text) implements Entry {}

  /**
   * The next entry, null after the last.
   *
   * @throws ImportRefused where the file as a whole is not of this format
   * @throws IOException where it cannot be read on
   */
  @Nullable Entry next() throws IOException;

  /** How much of the input was read, in [0, 1]. */
  double progress();

  @Override
  void close() throws IOException;
}
