package io.bellwether.trainer.data;

import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which learners see a surface's signals: the objective, then the others as declared.
 */
public final class SignalOrder {

  private SignalOrder() {}

  /** The names of the surface's signals in the learners' order. */
  public static List<String> of(Surface surface) {
    List<String> names = new ArrayList<>();
    names.add(surface.objective().signal());
    for (Signal signal : surface.signals()) {
      if (!signal.name().equals(surface.objective().signal())) {
        names.add(signal.name());
      }
    }
    return List.copyOf(names);
  }
}
