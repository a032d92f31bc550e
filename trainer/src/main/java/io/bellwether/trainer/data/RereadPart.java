package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A part whose transitions are read as the present declaration has them.
 *
 * @param part as it was logged
 */
record RereadPart(TransitionPart part, Reread reread) implements TransitionPart {

  private static final long serialVersionUID = 1;

  @Override
  public String words() {
    return part.words() + reread.words();
  }

  @Override
  public long transitions() {
    return part.transitions();
  }

  @Override
  public void forEach(Consumer<Transition> consumer) throws IOException {
    part.forEach(transition -> reread.read(transition).ifPresent(consumer));
  }
}
