package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.Source;

/**
 * Where logged transitions are read from. A source is bounded: it ends where the data ended when
 * reading began. It may give a decision several times; the highest revision counts.
 */
public sealed interface TransitionSource permits ArchiveSource, KafkaSourceRange {

  /** The source as a parallel Flink source. */
  Source<Transition, ?, ?> forFlink() throws IOException;

  /** The source in parts, in an order of their own; between them they have all revisions. */
  List<TransitionPart> parts() throws IOException;

  /** The same parts, their transitions read as a surface has them now. */
  default List<TransitionPart> parts(Reread reread) throws IOException {
    return parts().stream().<TransitionPart>map(part -> new RereadPart(part, reread)).toList();
  }

  /** Reads everything on the calling thread. */
  void forEach(Consumer<Transition> consumer) throws IOException;

  /** Where the data stands, for reports and manifests. */
  String words();
}
