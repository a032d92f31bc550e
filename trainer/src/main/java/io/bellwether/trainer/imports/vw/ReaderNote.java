package io.bellwether.trainer.imports.vw;

import io.bellwether.trainer.imports.LoggedDecision.Origin;

/**
 * A rule that a reader applied to decisions that it read, for whoever judges the import.
 *
 * @param text what was found and what became of it
 * @param decisions how many
 * @param first where the first of them stands
 */
public record ReaderNote(String text, long decisions, Origin first) {

  ReaderNote oneMore() {
    return new ReaderNote(text, decisions + 1, first);
  }
}
