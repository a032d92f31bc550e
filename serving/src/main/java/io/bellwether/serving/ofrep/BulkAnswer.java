package io.bellwether.serving.ofrep;

import java.util.List;
import java.util.Optional;

/** What a client gets that asks for all flags of one subject. */
sealed interface BulkAnswer {

  /**
   * The client has it all already, ids of decisions included.
   *
   * @param tag that it has
   */
  record Unchanged(String tag) implements BulkAnswer {}

  /**
   * All flags.
   *
   * @param flags {@link FlagAnswer} or {@link io.bellwether.serving.problem.FlagFailure} each
   * @param tag by which the client can ask again; empty where the answer is not worth keeping
   */
  record Flags(List<Object> flags, Optional<String> tag) implements BulkAnswer {
    public Flags {
      flags = List.copyOf(flags);
    }
  }
}
