package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.Serializable;
import java.util.function.Consumer;

/**
 * A part of a source that is always read in the same order, so that what follows from it does not
 * depend on who reads it: a file, or a partition. Immutable; travels to the task that reads it.
 */
public sealed interface TransitionPart extends Serializable
    permits ArchivePart, KafkaPart, RereadPart {

  /** Names the part and its contents: a part that has grown has another name. */
  String words();

  /** How many transitions there are; of a topic, at most. */
  long transitions();

  /** Reads everything on the calling thread, all revisions. */
  void forEach(Consumer<Transition> consumer) throws IOException;
}
