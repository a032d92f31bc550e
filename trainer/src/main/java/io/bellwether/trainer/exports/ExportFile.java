package io.bellwether.trainer.exports;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.util.Optional;

/** A file of one format that is being written. Confined to one thread. */
interface ExportFile extends AutoCloseable {

  /**
   * Adds a transition.
   *
   * @return why the format cannot say it, which then is not written; empty where it was written
   */
  Optional<String> write(Transition transition) throws IOException;

  @Override
  void close() throws IOException;
}
