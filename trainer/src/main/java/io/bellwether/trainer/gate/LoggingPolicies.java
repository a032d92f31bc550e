package io.bellwether.trainer.gate;

import java.util.Optional;

/** The policies that made a log's decisions, where they can still be asked. */
@FunctionalInterface
public interface LoggingPolicies {

  /** None of them can. */
  LoggingPolicies UNKNOWN = version -> Optional.empty();

  /** Opens one by the version under which decisions name it; the caller closes it. */
  Optional<TargetPolicy> open(String version);
}
